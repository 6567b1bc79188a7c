// SPDX-License-Identifier: Apache-2.0

/// A registration whose messages wait in a sequence's buffer.
///
/// Invariant: constant properties only, and the buffer was made for the type that the registration
/// is filed under.
final class SequenceRegistration: Registration, @unchecked Sendable {
    private let buffer: ObservationBuffer

    init(_ terms: RegistrationTerms, _ buffer: ObservationBuffer) {
        self.buffer = buffer
        super.init(terms, traits: [])
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        buffer.push(input)
        return .queued
    }

    override var inputName: MessageName { buffer.layout.name }

    override func releaseHandler() { buffer.close() }
}
