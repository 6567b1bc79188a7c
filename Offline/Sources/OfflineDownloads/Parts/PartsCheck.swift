// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import Tidings
import TidingsHTTP
import TidingsLock

/// Checks whether the finished parts of a resumed stream still match the parts on the server.
///
/// Parts of two versions must never be joined.
final class PartsCheck: Sendable {
    let environment: DownloadEnvironment
    let endpoint: HTTPClients.Endpoint
    let id: ItemID
    /// Receives the versions that the server has.
    let versions: FileVersions
    private let unanswered = Lock(0)
    /// The new server's versions of the parts that the check of a replaced address has confirmed.
    let confirmed = Lock<[PartID: String?]>([:])
    /// The parts that seem unchanged but have no tag that names their version.
    private let unnamed = Lock<[PartRecord]>([])

    /// The number of simultaneous requests.
    ///
    /// A request is short, so a distant server can answer many.
    private static let questions = PartParallelism.maximum
    /// The number of requests without an answer after which the check requests no further lengths.
    private static let unansweredLimit = 4

    /// Creates a check for an item.
    init(
        environment: DownloadEnvironment,
        endpoint: HTTPClients.Endpoint,
        id: ItemID,
        versions: FileVersions
    ) {
        self.environment = environment
        self.endpoint = endpoint
        self.id = id
        self.versions = versions
    }

    /// Returns whether the server has another version of a finished part.
    ///
    /// A part with a tag but without an answer counts as unchanged if the address is the same as
    /// before, because nothing shows a change. Two versions may have the same length and
    /// modification time, so the check compares the bytes of a few parts without a tag.
    func findsChange(in records: [PartRecord]) async throws -> Bool {
        if try await answersShowChange(of: records) { return true }
        return try await differs(Self.samples(ofUnnamed: unnamed.withLock { $0 }))
    }

    private func answersShowChange(of records: [PartRecord]) async throws -> Bool {
        unnamed.withLock { $0 = [] }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            var waiting = Self.finishedParts(of: records)[...]
            func startNext() {
                guard let parts = waiting.popFirst() else { return }
                group.addTask { [self] in try await haveChanged(parts) }
            }
            for _ in 0..<Self.questions { startNext() }
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

    /// Returns the first part, the last part and one part between them of each track.
    private static func samples(ofUnnamed parts: [PartRecord]) -> [PartRecord] {
        Dictionary(grouping: parts, by: \.id.track).values.flatMap { track in
            let ordered = track.sorted { $0.id.number < $1.id.number }
            let places = Set([0, ordered.count / 2, ordered.count - 1])
            return places.sorted().map { ordered[$0] }
        }
    }

    /// Returns the finished parts, grouped by the version of their file.
    private static func finishedParts(of records: [PartRecord]) -> [[PartRecord]] {
        let finished = records.filter { $0.size != nil }
        return Array(
            Dictionary(grouping: finished) { [$0.part.address.text, $0.validator] }.values
        )
    }

    /// Returns whether parts of one version of a file have changed.
    private func haveChanged(_ parts: [PartRecord]) async throws -> Bool {
        if parts[0].hasOtherAddress { return try await !areConfirmed(parts) }
        switch try await answer(for: parts[0]) {
        case .unchanged:
            versions.remember(parts[0].validator, of: parts[0].part)
        case .unknown:
            if parts.contains(where: \.hasOtherQuery) { return true }
        case .otherVersion:
            return try await differs(parts)
        }
        if !parts[0].hasTag { unnamed.withLock { $0 += parts } }
        return false
    }

    /// Returns whether the bytes of one of these parts differ.
    ///
    /// A part that the server no longer sends counts as unchanged, unless the part has a new
    /// address.
    func differs(_ parts: [PartRecord]) async throws -> Bool {
        let download = PartDownload(
            environment: environment,
            endpoint: endpoint,
            id: id,
            keys: KeyCache(hosts: environment.hosts),
            versions: versions
        )
        for record in parts {
            do throws(DownloadError) {
                if try await download.differs(record) { return true }
            } catch {
                guard error.concernsOnePart else { throw error }
                let isOther = record.hasOtherQuery || record.hasOtherAddress
                if error.code != .status || isOther { return true }
            }
        }
        return false
    }

    private func answer(for record: PartRecord) async throws -> PartRecord.Answer {
        var request = endpoint.request(record.part.address)
        guard let validator = record.validator else {
            request.method = .head
            return try await length(request, of: record)
        }
        request.headers.append(
            HTTPHeader(
                record.hasTag ? "If-None-Match" : "If-Modified-Since",
                validator
            )
        )
        let question = request
        do throws(DownloadError) {
            return try await environment.retrying(id, at: question.address) {
                record.answer(try await head(question))
            }
        } catch {
            guard error.concernsOnePart else { throw error }
            return .unknown
        }
    }

    /// Requests the length of a part without a validator, without retries, because many servers do
    /// not answer HEAD.
    private func length(
        _ question: HTTPRequest,
        of record: PartRecord
    ) async throws -> PartRecord.Answer {
        guard unanswered.withLock({ $0 < Self.unansweredLimit }) else { return .unknown }
        do {
            return record.answer(try await head(question))
        } catch {
            try Task.checkCancellation()
            unanswered.withLock { $0 += 1 }
            return .unknown
        }
    }

    func head(_ request: HTTPRequest) async throws -> HTTPResponseHead {
        let place = try await environment.hosts.enter(
            request.address.host,
            isLive: endpoint.isLive
        )
        defer { place.leave() }
        return try await endpoint.client.perform(request, receiver: HeadReceiver(place)).head
    }
}

/// Receives the head of a response and drops the body.
private final class HeadReceiver: HTTPReceiver {
    private let place: HostConnections.Place

    init(_ place: HostConnections.Place) {
        self.place = place
    }

    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        place.move(to: head.address.host)
        return head.status == 304 ? .proceed : .stop(.complete)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision { .stop(.complete) }
}

extension PartRecord {
    /// The meaning of a server's response for a finished part.
    enum Answer: Hashable {
        case unchanged
        /// The name of the version or the length has changed. The bytes may still be the same.
        case otherVersion
        case unknown
    }

    /// Returns the meaning of a response head for this part.
    func answer(_ head: HTTPResponseHead) -> Answer {
        if head.status == 304 { return .unchanged }
        guard head.status == 200, let size else { return .unknown }
        if let validator, let version = head.version {
            return version == validator ? .unchanged : .otherVersion
        }
        guard part.range == nil, let length = head.contentLength, head.contentEncoding == nil else {
            return .unknown
        }
        return hasLength(length, size) ? .unchanged : .otherVersion
    }

    /// Whether the server named the version of the part by a tag instead of a modification time.
    var hasTag: Bool { validator?.hasSuffix("\"") == true }

    /// Returns whether a file of this length on the server can match a part of this size on disk.
    func hasLength(_ length: Int64, _ size: Int64) -> Bool {
        // Encryption adds 1 to 16 bytes of padding.
        part.key == nil ? length == size : (size + 1...size + 16).contains(length)
    }
}

extension HTTPResponseHead {
    /// The server's name for the version of a file: the tag or the modification time.
    var version: String? { headers.first("ETag") ?? headers.first("Last-Modified") }
}
