// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// Takes the answer for one segment: cuts out its range when the server sent the whole file,
/// decrypts it, and writes it; what is not media is refused.
final class SegmentReceiver: HTTPReceiver {
    /// Every wanted byte is here and others follow: what a server without ranges sends.
    struct Enough: Error {}

    private struct State {
        var slice: Slice?
        var decryptor: AES128Decryptor?
        var prefix: [UInt8] = []
        var kind: ContentKind?
    }

    private static let sniffLength = 512

    private let segment: SegmentRecord
    private let output: OutputFile
    private let progress: @Sendable (Int64) -> Void
    private let state: Lock<State>

    /// Creates a receiver; `key` holds the 16 bytes that the segment is encrypted with, if it is.
    init(
        _ segment: SegmentRecord,
        key: [UInt8]?,
        output: OutputFile,
        progress: @escaping @Sendable (Int64) -> Void
    ) throws {
        self.segment = segment
        self.output = output
        self.progress = progress
        var state = State()
        if let key, let iv = segment.key?.iv {
            state.decryptor = try AES128Decryptor(key: key, iv: iv)
        }
        self.state = Lock(state)
    }

    func receive(_ head: HTTPResponseHead) throws {
        guard head.status == 200 || head.status == 206 else {
            throw DownloadError(status: head.status, head: head)
        }
        if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
        let slice = try Slice(of: segment.range, in: head)
        state.withLock { $0.slice = slice }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        let (wanted, isEnough) = state.withLock { state in
            let wanted = state.slice?.take(bytes.count) ?? 0..<0
            return (wanted, state.slice?.isFull == true && wanted.upperBound < bytes.count)
        }
        if !wanted.isEmpty { try take(UnsafeRawBufferPointer(rebasing: bytes[wanted])) }
        if isEnough { throw Enough() }
    }

    private func take(_ part: UnsafeRawBufferPointer) throws {
        progress(Int64(part.count))
        guard segment.key != nil else { return try keep(part) }
        let encrypted = Array(part)
        let plain = try state.withLock { try $0.decryptor?.update(encrypted) ?? [] }
        try plain.withUnsafeBytes { try keep($0) }
    }

    /// Checks that the segment is whole and says what it holds.
    func finish() throws -> ContentKind {
        let rest: [UInt8] = try state.withLock { state in
            guard state.slice?.isWhole != false else {
                throw DownloadError(
                    .changed,
                    "\(segment.address.redacted) is shorter than its playlist says."
                )
            }
            return try state.decryptor?.finish() ?? []
        }
        try rest.withUnsafeBytes { try keep($0) }
        let (kind, prefix) = state.withLock { ($0.kind, $0.prefix) }
        return try kind ?? sniff(prefix)
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) throws {
        let prefix: [UInt8]? = state.withLock { state in
            guard state.kind == nil else { return nil }
            state.prefix.append(contentsOf: bytes.prefix(Self.sniffLength - state.prefix.count))
            return state.prefix.count >= Self.sniffLength ? state.prefix : nil
        }
        if let prefix {
            let kind = try sniff(prefix)
            state.withLock { $0.kind = kind }
        }
        try output.append(bytes)
    }

    private func sniff(_ prefix: [UInt8]) throws -> ContentKind {
        let kind = ContentSniffer.kind(of: prefix, contentType: nil)
        switch kind {
        case .hlsPlaylist:
            throw DownloadError(
                .notMedia,
                "\(segment.address.redacted) is itself a playlist, not a segment."
            )
        case .html:
            throw DownloadError(
                .notMedia,
                "\(segment.address.redacted) is a web page, not a segment."
            )
        default:
            return kind
        }
    }
}

extension AES128Decryptor {
    fileprivate func update(_ bytes: [UInt8]) throws(MediaError) -> [UInt8] {
        let result: Result<[UInt8], MediaError> = bytes.withUnsafeBytes { buffer in
            do throws(MediaError) {
                return .success(try update(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// Picks the bytes of a range out of a body that holds exactly it, or the whole file around it.
struct Slice: Hashable {
    private var skip: Int64
    private var rest: Int64?

    init(of range: HTTPByteRange?, in head: HTTPResponseHead) throws(DownloadError) {
        guard let range else {
            guard head.status == 200 else { throw Self.wrongPart(head) }
            (skip, rest) = (0, nil)
            return
        }
        if head.status == 200 {
            (skip, rest) = (range.offset, range.length)
            return
        }
        guard let sent = head.contentRange, sent.first == range.offset,
            range.length.map({ sent.last - sent.first + 1 == $0 }) ?? true
        else { throw Self.wrongPart(head) }
        (skip, rest) = (0, range.length)
    }

    /// Whether every wanted byte has passed; true when the length is not known.
    var isWhole: Bool { rest.map { $0 == 0 } ?? true }

    /// Whether no further byte is wanted; false when the length is not known.
    var isFull: Bool { rest == 0 }

    /// Which of the next bytes belong to the range.
    mutating func take(_ count: Int) -> Range<Int> {
        let skipped = Int(min(skip, Int64(count)))
        skip -= Int64(skipped)
        let left = Int64(count - skipped)
        let taken = Int(rest.map { min($0, left) } ?? left)
        if let rest { self.rest = rest - Int64(taken) }
        return skipped..<(skipped + taken)
    }

    private static func wrongPart(_ head: HTTPResponseHead) -> DownloadError {
        DownloadError(
            .changed,
            "The server sent another part of \(head.address.redacted) than was asked for."
        )
    }
}
