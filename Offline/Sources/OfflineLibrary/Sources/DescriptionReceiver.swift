// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP
import TidingsLock

/// Keeps a description in memory, and rejects other content after its first bytes.
final class DescriptionReceiver: HTTPReceiver {
    private struct State {
        var head: HTTPResponseHead?
        var bytes: [UInt8] = []
        var isRecognized = false
    }

    private let source: any ReadableSource
    private let refusal: DownloadError
    private let state = Lock(State())

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - source: The source that must recognize the content.
    ///   - refusal: The error for any other content.
    init(for source: any ReadableSource, otherwise refusal: DownloadError) {
        self.source = source
        self.refusal = refusal
    }

    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        guard head.status == 200 else { throw DownloadError(status: head.status, head: head) }
        if let error = DownloadError(refusingEncodingOf: head) { throw error }
        state.withLock { $0.head = head }
        return .proceed
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision {
        let limit = source.descriptionLimit
        let unrecognized: FirstResponse? = try state.withLock { state throws(DownloadError) in
            guard state.bytes.count + bytes.count <= limit || !state.isRecognized else {
                throw .descriptionTooLarge(limit: limit)
            }
            state.bytes.append(contentsOf: bytes)
            guard !state.isRecognized, state.bytes.count >= FirstResponse.prefixLength,
                let head = state.head
            else { return nil }
            return FirstResponse(head, prefix: state.bytes)
        }
        if let unrecognized { try recognize(unrecognized) }
        return .proceed
    }

    /// Returns the complete description after the end of its response.
    func finish(_ head: HTTPResponseHead) throws(DownloadError) -> [UInt8] {
        let (bytes, isRecognized) = state.withLock { ($0.bytes, $0.isRecognized) }
        if !isRecognized { try recognize(FirstResponse(head, prefix: bytes)) }
        return bytes
    }

    private func recognize(_ response: FirstResponse) throws(DownloadError) {
        // The caller knows better than the source what the response was expected to be.
        switch try? source.inspect(response) {
        case .description?, .elsewhere?: state.withLock { $0.isRecognized = true }
        case .whole?, nil: throw refusal
        }
    }
}
