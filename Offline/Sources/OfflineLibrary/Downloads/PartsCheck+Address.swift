// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP
import TidingsLock

/// The check after a person has replaced the address.
///
/// The new server may use the same name for another version, so that it is asked for the length:
/// the former server's validator is never sent to it.
extension PartsCheck {
    /// Returns whether the new address has the finished parts of one file.
    ///
    /// Without a proof they count as other parts.
    func areConfirmed(_ parts: [PartRecord]) async throws -> Bool {
        let address = parts[0].part.address
        let head: HTTPResponseHead
        do throws(DownloadError) {
            head = try await environment.retrying(id, at: address) {
                try await self.head(endpoint.request(address))
            }
        } catch {
            guard error.concernsOnePart else { throw error }
            return false
        }
        guard parts.allSatisfy({ $0.canBePart(ofFile: head) }) else { return false }
        if try await differs(Self.samples(of: parts)) { return false }
        confirmed.withLock { confirmed in
            for part in parts { confirmed[part.id] = .some(head.version) }
        }
        versions.remember(head.version, of: parts[0].part)
        return true
    }

    /// Returns the parts whose bytes are compared: initialization sections of two versions often
    /// have the same length, and ranges always have.
    private static func samples(of parts: [PartRecord]) -> [PartRecord] {
        let ranges = parts.filter { $0.part.range != nil && !$0.part.isInitialization }
        let largest = ranges.max { ($0.size ?? 0) < ($1.size ?? 0) }
        return parts.filter(\.part.isInitialization) + (largest.map { [$0] } ?? [])
    }

    /// Returns records with the versions that the new server has of them, with which later runs
    /// compare them.
    func withConfirmedVersions(_ records: [PartRecord]) -> [PartRecord] {
        let confirmed = confirmed.withLock { $0 }
        return records.map { record in
            var record = record
            if let version = confirmed[record.id] { record.validator = version }
            return record
        }
    }
}

extension PartRecord {
    /// Returns whether the head of a whole file permits that it holds the bytes of this part.
    ///
    /// A range needs the strong validator, too, because its length is that of the playlist.
    fileprivate func canBePart(ofFile head: HTTPResponseHead) -> Bool {
        guard head.status == 200, head.contentEncoding == nil, let size,
            let length = head.contentLength
        else { return false }
        guard let range = part.range else { return hasLength(length, size) }
        guard let validator, head.strongValidator == validator else { return false }
        return range.offset + (range.length ?? 1) <= length
    }
}
