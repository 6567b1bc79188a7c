// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import TidingsHTTP
import TidingsLock

/// The check after the user has replaced the address.
///
/// The new server may use the same name for another version. The check therefore compares lengths
/// and never sends the former server's validator.
extension PartsCheck {
    /// Returns whether the new address has the finished parts of one file.
    ///
    /// Without a proof, the parts count as other parts.
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

    /// Returns the parts whose bytes the check compares.
    ///
    /// Initialization sections of two versions often have the same length, and ranges always have
    /// the same length.
    private static func samples(of parts: [PartRecord]) -> [PartRecord] {
        let ranges = parts.filter { $0.part.range != nil && !$0.part.isInitialization }
        let largest = ranges.max { ($0.size ?? 0) < ($1.size ?? 0) }
        return parts.filter(\.part.isInitialization) + (largest.map { [$0] } ?? [])
    }

    /// Returns the records with the new server's versions, which later runs compare.
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
    /// Returns whether the file in a response may contain the bytes of this part.
    ///
    /// A range also needs the strong validator, because the length of a range comes from the
    /// playlist.
    fileprivate func canBePart(ofFile head: HTTPResponseHead) -> Bool {
        guard head.status == 200, head.contentEncoding == nil, let size,
            let length = head.contentLength
        else { return false }
        guard let range = part.range else { return hasLength(length, size) }
        guard let validator, head.strongValidator == validator else { return false }
        return range.offset + (range.length ?? 1) <= length
    }
}
