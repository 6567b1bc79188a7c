// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import TidingsHTTP
import TidingsLock

/// Receives the response for an item's address while the sources recognize the content.
///
/// The receiver writes media to disk, keeps a description in memory, and rejects other content
/// before writing a byte.
final class AddressReceiver: HTTPReceiver {
    /// The properties of a new file before the first byte is written.
    struct NewFile: Sendable {
        let head: HTTPResponseHead
        let kind: ItemKind
        let part: WholePart
        /// The reason for a restart, as text for the user, or nil without a restart.
        let note: String?
    }

    /// The content of a finished response.
    enum Content {
        case file(PartialFile)
        case description(any DescribedSource, SourceDocument)
        case reference(any ReferringSource, SourceDocument)
        /// The file was complete before the request.
        case alreadyComplete
        case empty
    }

    private enum State {
        case waiting
        case sniffing(HTTPResponseHead, note: String?, prefix: [UInt8])
        case writing(PartialFile, FileVersion?)
        case reading(Reading, bytes: [UInt8])
        case complete
        /// A file answered a request for a live stream.
        case notLive
    }

    private enum Reading {
        case description(any DescribedSource)
        case reference(any ReferringSource)

        var limit: Int {
            switch self {
            case .description(let source): source.descriptionLimit
            case .reference(let source): source.descriptionLimit
            }
        }
    }

    private let plan: ResumePlan
    private let isLive: Bool
    private let sources: MediaSources
    private let syncs: SyncSchedule
    private let append: @Sendable (HTTPResponseHead) throws -> PartialFile
    private let begin: @Sendable (NewFile) throws -> PartialFile
    private let progress: @Sendable (Int64) -> Void
    private let state = Lock(State.waiting)
    /// The place of the connection, which a redirect moves to another host.
    private let place: HostConnections.Place

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - plan: The plan from which the caller made the request.
    ///   - isLive: Whether the request expects a live stream. Such a request did not wait for a
    ///     place.
    ///   - place: The place of the connection.
    ///   - sources: The sources that inspect the start of the response.
    ///   - syncs: The schedule that counts the written bytes.
    ///   - append: Opens the partial file at the end.
    ///   - begin: Records a new version and opens an empty file for the version.
    ///   - progress: Called with the number of bytes after each write.
    init(
        plan: ResumePlan,
        isLive: Bool = false,
        place: HostConnections.Place,
        sources: MediaSources,
        syncs: SyncSchedule,
        append: @escaping @Sendable (HTTPResponseHead) throws -> PartialFile,
        begin: @escaping @Sendable (NewFile) throws -> PartialFile,
        progress: @escaping @Sendable (Int64) -> Void
    ) {
        self.plan = plan
        self.isLive = isLive
        self.place = place
        self.sources = sources
        self.syncs = syncs
        self.append = append
        self.begin = begin
        self.progress = progress
    }

    /// The file that receives the bytes, or nil before the file is open.
    var output: PartialFile? {
        state.withLock { state in
            if case .writing(let output, _) = state { return output }
            return nil
        }
    }

    /// The file and its version.
    ///
    /// The value is nil before the file is open, and if the server does not offer ranges of the
    /// file.
    var fileWithRanges: (PartialFile, FileVersion)? {
        state.withLock { state in
            if case .writing(let output, let version?) = state { return (output, version) }
            return nil
        }
    }

    /// Whether `fileWithRanges` can have a value now or later.
    var mayHaveRanges: Bool {
        state.withLock { state in
            switch state {
            case .waiting, .sniffing: true
            case .writing(_, let version): version != nil
            case .reading, .complete, .notLive: false
            }
        }
    }

    /// Whether a file answered a request for a live stream.
    ///
    /// The receiver keeps no byte of such a file.
    var isNotLive: Bool {
        state.withLock { state in
            if case .notLive = state { return true }
            return false
        }
    }

    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        place.move(to: head.address.host)
        switch plan.decision(for: head) {
        case .append:
            if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
            let output = try append(head)
            let version = FileVersion(head, size: plan.totalBytes ?? head.contentRange?.total)
            state.withLock { $0 = .writing(output, version) }
        case .restart(let note):
            state.withLock { $0 = .sniffing(head, note: note, prefix: []) }
        case .requestWholeFile(let note):
            return .stop(.restart(reason: note))
        case .alreadyComplete:
            state.withLock { $0 = .complete }
            // The body is an error page, which may be cut or endless.
            return .stop(.complete)
        case .fail(let status):
            throw DownloadError(status: status, head: head)
        }
        return .proceed
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision {
        if let output { return try write(bytes, to: output, by: output.first.connection) }
        let sniffed: (HTTPResponseHead, note: String?, prefix: [UInt8])? = try state.withLock {
            state throws(DownloadError) in
            switch state {
            case .sniffing(let head, let note, var prefix):
                prefix.append(contentsOf: bytes)
                if prefix.count >= FirstResponse.prefixLength { return (head, note, prefix) }
                state = .sniffing(head, note: note, prefix: prefix)
            case .reading(let reading, bytes: var description):
                let limit = reading.limit
                guard description.count + bytes.count <= limit else {
                    throw .descriptionTooLarge(limit: limit)
                }
                state = .waiting
                description.append(contentsOf: bytes)
                state = .reading(reading, bytes: description)
            case .waiting, .writing, .complete, .notLive:
                break
            }
            return nil
        }
        guard let sniffed else { return .proceed }
        try decide(sniffed.0, note: sniffed.note, prefix: sniffed.prefix, isLive: isLive)
        return isNotLive ? .stop(.complete) : .proceed
    }

    /// Returns the content after the end of the response.
    func finish(_ transfer: HTTPTransfer) throws -> Content {
        let short: (HTTPResponseHead, note: String?, prefix: [UInt8])? = state.withLock { state in
            if case .sniffing(let head, let note, let prefix) = state {
                return (head, note, prefix)
            }
            return nil
        }
        if let short {
            guard !short.prefix.isEmpty else { return .empty }
            // A short file has arrived completely, so the file needs no place.
            try decide(short.0, note: short.note, prefix: short.prefix, isLive: false)
        }
        return state.withLock { state in
            switch state {
            case .writing(let output, _): .file(output)
            case .reading(let reading, let bytes):
                Self.content(
                    reading,
                    SourceDocument(transfer.head, bytes: bytes, endedBy: transfer.bodyEnd)
                )
            case .complete: .alreadyComplete
            case .waiting, .sniffing, .notLive: .empty
            }
        }
    }

    private func decide(
        _ head: HTTPResponseHead,
        note: String?,
        prefix: [UInt8],
        isLive: Bool
    ) throws {
        if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
        let (kind, inspection) = try sources.inspect(FirstResponse(head, prefix: prefix))
        switch inspection {
        case .description(let source):
            state.withLock { $0 = .reading(.description(source), bytes: prefix) }
        case .elsewhere(let source):
            state.withLock { $0 = .reading(.reference(source), bytes: prefix) }
        case .whole where isLive:
            state.withLock { $0 = .notLive }
        case .whole(let part):
            let output = try begin(NewFile(head: head, kind: kind, part: part, note: note))
            _ = try prefix.withUnsafeBytes { prefix in
                try write(prefix, to: output, by: output.first.connection)
            }
            let version = FileVersion(head, size: part.totalBytes)
            state.withLock { $0 = .writing(output, version) }
        }
    }

    private static func content(_ reading: Reading, _ document: SourceDocument) -> Content {
        switch reading {
        case .description(let source): .description(source, document)
        case .reference(let source): .reference(source, document)
        }
    }

    /// Writes and counts the bytes of a connection.
    func write(
        _ bytes: UnsafeRawBufferPointer,
        to output: PartialFile,
        by connection: Int
    ) throws -> HTTPDecision {
        let (count, isSurplus) = try output.append(bytes, by: connection)
        progress(count)
        syncs.addWritten(count)
        return isSurplus ? .stop(.complete) : .proceed
    }
}
