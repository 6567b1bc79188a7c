// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// Takes the answer to an item's address: a file goes to disk, a playlist is kept in memory, and
/// anything else is refused before a byte is written.
final class FileReceiver: HTTPReceiver {
    /// What is known of a file before its first byte is written.
    struct Beginning: Sendable {
        let head: HTTPResponseHead
        let kind: ContentKind
        let note: String?
    }

    /// What the answer was.
    enum Content {
        case file(OutputFile)
        case playlist([UInt8], HTTPResponseHead)
        case alreadyWhole
        case empty
    }

    private enum State {
        case waiting
        case sniffing(HTTPResponseHead, note: String?, prefix: [UInt8])
        case writing(OutputFile)
        case reading(HTTPResponseHead, playlist: [UInt8])
        case whole
    }

    private static let sniffLength = 1_024

    private let plan: ResumePlan
    private let syncs: SyncSchedule
    private let append: @Sendable (HTTPResponseHead) throws -> OutputFile
    private let begin: @Sendable (Beginning) throws -> OutputFile
    private let progress: @Sendable (Int64) -> Void
    private let state = Lock(State.waiting)

    /// Creates a receiver; `append` opens the file that goes on at its end, `begin` records a new
    /// version and opens it empty, and `progress` hears of every piece that was written.
    init(
        plan: ResumePlan,
        syncs: SyncSchedule,
        append: @escaping @Sendable (HTTPResponseHead) throws -> OutputFile,
        begin: @escaping @Sendable (Beginning) throws -> OutputFile,
        progress: @escaping @Sendable (Int64) -> Void
    ) {
        self.plan = plan
        self.syncs = syncs
        self.append = append
        self.begin = begin
        self.progress = progress
    }

    /// The file that is being written, once there is one.
    var output: OutputFile? {
        state.withLock { state in
            if case .writing(let output) = state { return output }
            return nil
        }
    }

    func receive(_ head: HTTPResponseHead) throws {
        switch plan.decision(for: head) {
        case .append:
            if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
            let output = try append(head)
            state.withLock { $0 = .writing(output) }
        case .restart(let note):
            state.withLock { $0 = .sniffing(head, note: note, prefix: []) }
        case .askAgain(let note):
            throw AskAgain(note: note)
        case .alreadyWhole:
            state.withLock { $0 = .whole }
        case .fail(let status):
            throw DownloadError(status: status, head: head)
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        if let output { return try write(bytes, to: output) }
        let sniffed: (HTTPResponseHead, note: String?, prefix: [UInt8])? = try state.withLock {
            state throws(DownloadError) in
            switch state {
            case .sniffing(let head, let note, var prefix):
                prefix.append(contentsOf: bytes)
                if prefix.count >= Self.sniffLength { return (head, note, prefix) }
                state = .sniffing(head, note: note, prefix: prefix)
            case .reading(let head, var playlist):
                guard playlist.count + bytes.count <= PlaylistLimits().bytes else {
                    throw .playlistTooLarge
                }
                state = .waiting
                playlist.append(contentsOf: bytes)
                state = .reading(head, playlist: playlist)
            case .waiting, .writing, .whole:
                break
            }
            return nil
        }
        if let sniffed { try decide(sniffed.0, note: sniffed.note, prefix: sniffed.prefix) }
    }

    /// What the answer was, when all of it is here.
    func finish() throws -> Content {
        let short: (HTTPResponseHead, note: String?, prefix: [UInt8])? = state.withLock { state in
            if case .sniffing(let head, let note, let prefix) = state {
                return (head, note, prefix)
            }
            return nil
        }
        if let short {
            guard !short.prefix.isEmpty else { return .empty }
            try decide(short.0, note: short.note, prefix: short.prefix)
        }
        return state.withLock { state in
            switch state {
            case .writing(let output): .file(output)
            case .reading(let head, let playlist): .playlist(playlist, head)
            case .whole: .alreadyWhole
            case .waiting, .sniffing: .empty
            }
        }
    }

    private func decide(_ head: HTTPResponseHead, note: String?, prefix: [UInt8]) throws {
        if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
        let kind = ContentSniffer.kind(of: prefix, contentType: head.contentType)
        if let refusal = DownloadError(refusing: kind, at: head.address) { throw refusal }
        guard kind != .hlsPlaylist else {
            state.withLock { $0 = .reading(head, playlist: prefix) }
            return
        }
        let output = try begin(Beginning(head: head, kind: kind, note: note))
        try prefix.withUnsafeBytes { try write($0, to: output) }
        state.withLock { $0 = .writing(output) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to output: OutputFile) throws {
        try output.append(bytes)
        progress(Int64(bytes.count))
        syncs.wrote(Int64(bytes.count))
    }
}

/// The server's answer does not continue the bytes on disk; the whole file is asked for next.
struct AskAgain: Error {
    let note: String
}
