// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP
import TidingsLock

/// Keeps a description in memory, and stops after the first bytes of any other content.
final class DescriptionReceiver: HTTPReceiver {
    /// Recognizes a response by its beginning, or throws the error for its content.
    typealias Recognition =
        @Sendable (FirstResponse) throws(DownloadError) -> (kind: ItemKind, inspection: Inspection)

    private struct State {
        var head: HTTPResponseHead?
        var bytes: [UInt8] = []
        var found: (kind: ItemKind, inspection: Inspection)?
    }

    private let recognition: Recognition
    private let state = Lock(State())

    init(_ recognition: @escaping Recognition) {
        self.recognition = recognition
    }

    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        guard head.status == 200 else { throw DownloadError(status: head.status, head: head) }
        if let error = DownloadError(refusingEncodingOf: head) { throw error }
        state.withLock { $0.head = head }
        return .proceed
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision {
        let unrecognized: FirstResponse? = try state.withLock { state throws(DownloadError) in
            if let limit = state.found?.inspection.descriptionLimit,
                state.bytes.count + bytes.count > limit
            {
                throw .descriptionTooLarge(limit: limit)
            }
            state.bytes.append(contentsOf: bytes)
            guard state.found == nil, state.bytes.count >= FirstResponse.prefixLength,
                let head = state.head
            else { return nil }
            return FirstResponse(head, prefix: state.bytes)
        }
        guard let unrecognized else { return .proceed }
        let found = try recognize(unrecognized)
        return found.inspection.descriptionLimit == nil ? .stop(.complete) : .proceed
    }

    /// Returns the complete description after the end of the response, or the beginning of a file.
    func finish(
        _ head: HTTPResponseHead
    ) throws(DownloadError) -> (bytes: [UInt8], kind: ItemKind, inspection: Inspection) {
        let (bytes, known) = state.withLock { ($0.bytes, $0.found) }
        if let known { return (bytes, known.kind, known.inspection) }
        let found = try recognize(FirstResponse(head, prefix: bytes))
        return (bytes, found.kind, found.inspection)
    }

    private func recognize(
        _ response: FirstResponse
    ) throws(DownloadError) -> (kind: ItemKind, inspection: Inspection) {
        let found = try recognition(response)
        state.withLock { $0.found = found }
        return found
    }
}

extension Inspection {
    /// The maximum size of a description in bytes, or nil for the media itself.
    fileprivate var descriptionLimit: Int? {
        switch self {
        case .whole: nil
        case .description(let source): source.descriptionLimit
        case .elsewhere(let source): source.descriptionLimit
        }
    }
}
