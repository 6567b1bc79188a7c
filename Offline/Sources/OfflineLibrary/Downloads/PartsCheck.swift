// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// Asks the server whether the finished parts of a resumed stream are still those that it has.
///
/// Parts of two versions must never be joined.
struct PartsCheck: Sendable {
    let environment: DownloadEnvironment
    let endpoint: HTTPClients.Endpoint
    let id: ItemID

    /// Returns whether the server has another version of a finished part.
    ///
    /// A part without an answer counts as unchanged, because nothing shows that it is not.
    func findsChange(in records: [PartRecord]) async throws -> Bool {
        let download = PartDownload(
            environment: environment,
            endpoint: endpoint,
            id: id,
            keys: KeyCache(),
            versions: FileVersions()
        )
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            var waiting = Self.oneOfEachFile(records)[...]
            func startNext() {
                guard let record = waiting.popFirst() else { return }
                group.addTask { try await hasChanged(record, download) }
            }
            for _ in 0..<DownloadEnvironment.partTransfers { startNext() }
            while let isChanged = try await group.next() {
                guard !isChanged else {
                    group.cancelAll()
                    return true
                }
                startNext()
            }
            return false
        }
    }

    /// Returns the finished parts without those in the same version of the same file.
    private static func oneOfEachFile(_ records: [PartRecord]) -> [PartRecord] {
        var known: Set<[String?]> = []
        return records.filter { record in
            record.size != nil
                && known.insert([record.part.address.text, record.validator]).inserted
        }
    }

    private func hasChanged(
        _ record: PartRecord,
        _ download: PartDownload
    ) async throws -> Bool {
        var request = endpoint.request(record.part.address)
        if let validator = record.validator {
            let isTag = validator.hasSuffix("\"")
            request.headers.append(
                HTTPHeader(isTag ? "If-None-Match" : "If-Modified-Since", validator)
            )
        } else {
            request.method = .head
        }
        let question = request
        do throws(DownloadError) {
            let head = try await environment.retrying(id, at: question.address) {
                let receiver = HeadReceiver()
                return try await endpoint.client.perform(question, receiver: receiver).head
            }
            switch record.answer(head) {
            case .unchanged, .unknown: return false
            case .changed: return true
            case .otherVersion: return try await download.differs(record)
            }
        } catch {
            guard error.concernsOnePart else { throw error }
            return false
        }
    }
}

/// Receives the head of a response and drops the body.
private final class HeadReceiver: HTTPReceiver {
    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        head.status == 304 ? .proceed : .stop(.complete)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision { .stop(.complete) }
}

extension PartRecord {
    /// What a server's answer says about a finished part.
    enum Answer: Hashable {
        case unchanged
        /// The length is another one.
        case changed
        /// The name of the version is another one; the bytes may be the same.
        case otherVersion
        case unknown
    }

    /// Returns what the head of a response says about this part.
    func answer(_ head: HTTPResponseHead) -> Answer {
        if head.status == 304 { return .unchanged }
        guard head.status == 200, let size else { return .unknown }
        if let validator, let version = head.version {
            return version == validator ? .unchanged : .otherVersion
        }
        guard part.range == nil, let length = head.contentLength, head.contentEncoding == nil else {
            return .unknown
        }
        // Encryption adds 1 to 16 bytes of padding.
        let isEqual = part.key == nil ? length == size : (size + 1...size + 16).contains(length)
        return isEqual ? .unchanged : .changed
    }
}

extension HTTPResponseHead {
    /// The server's name for the version of a file: its tag, or the time of its last change.
    var version: String? { headers.first("ETag") ?? headers.first("Last-Modified") }
}
