// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsHTTP
import TidingsLock

/// Receives the response for one part.
///
/// The receiver extracts the part's range if the server sends the whole file, decrypts the bytes
/// and writes the result. Playlists and web pages cause an error.
final class PartReceiver: HTTPReceiver {
    private struct State {
        var extractor: ByteRangeExtractor?
        var decryptor: AES128Decryptor?
        var prefix: [UInt8] = []
        var kind: ContentKind?
        var length: Int64 = 0
    }

    private static let sniffLength = 512

    private let part: Part
    private let output: OutputFile
    /// The place of the connection, which a redirect moves to another host.
    private let place: HostConnections.Place
    private let progress: @Sendable (Int64) -> Void
    private let state: Lock<State>

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - part: The part to receive.
    ///   - key: The 16 bytes of the key, or nil if the part is not encrypted.
    ///   - output: The file for the decrypted bytes.
    ///   - place: The place of the connection.
    ///   - progress: Called with the number of bytes of the part in each received block.
    /// - Throws: `MediaError` if the decryption cannot be set up.
    init(
        _ part: Part,
        key: [UInt8]?,
        output: OutputFile,
        place: HostConnections.Place,
        progress: @escaping @Sendable (Int64) -> Void
    ) throws {
        self.part = part
        self.output = output
        self.place = place
        self.progress = progress
        var state = State()
        if let key, let iv = part.key?.iv {
            state.decryptor = try AES128Decryptor(key: key, iv: iv)
        }
        self.state = Lock(state)
    }

    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        place.move(to: head.address.host)
        guard head.status == 200 || head.status == 206 else {
            throw DownloadError(status: head.status, head: head)
        }
        if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
        let extractor = try ByteRangeExtractor(of: part.range, in: head)
        state.withLock { $0.extractor = extractor }
        return .proceed
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision {
        let (wanted, isFinished) = state.withLock { state in
            let wanted = state.extractor?.next(bytes.count) ?? 0..<0
            return (wanted, state.extractor?.isFinished == true && wanted.upperBound < bytes.count)
        }
        if !wanted.isEmpty { try decrypt(UnsafeRawBufferPointer(rebasing: bytes[wanted])) }
        // A server without support for ranges continues with the rest of the file.
        return isFinished ? .stop(.complete) : .proceed
    }

    private func decrypt(_ bytes: UnsafeRawBufferPointer) throws {
        progress(Int64(bytes.count))
        if part.isText {
            let length = state.withLock { state in
                state.length += Int64(bytes.count)
                return state.length
            }
            guard length <= SubtitleLimits.segmentBytes else {
                throw DownloadError(
                    .refused,
                    "\(part.address.redacted) is larger than "
                        + "\(SubtitleLimits.segmentBytes >> 20) MiB, the limit for subtitles."
                )
            }
        }
        guard part.key != nil else { return try write(bytes) }
        let encrypted = Array(bytes)
        let plain = try state.withLock { try $0.decryptor?.update(encrypted) ?? [] }
        try plain.withUnsafeBytes { try write($0) }
    }

    /// Checks that the part is complete and returns the kind of its content.
    func finish() throws -> ContentKind {
        let rest: [UInt8] = try state.withLock { state in
            guard state.extractor?.isComplete != false else {
                throw DownloadError(
                    .changed,
                    "\(part.address.redacted) is shorter than its playlist states."
                )
            }
            return try state.decryptor?.finish() ?? []
        }
        try rest.withUnsafeBytes { try write($0) }
        let (kind, prefix) = state.withLock { ($0.kind, $0.prefix) }
        return try kind ?? sniff(prefix)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
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
        guard kind == .hlsPlaylist || kind == .html else { return kind }
        let found = kind == .html ? "a web page" : "itself a playlist"
        throw DownloadError(.notMedia, "\(part.address.redacted) is \(found), not a segment.")
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
