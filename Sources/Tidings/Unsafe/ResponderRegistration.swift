// SPDX-License-Identifier: Apache-2.0

/// A registration that answers requests.
///
/// Invariant: all properties are constant.
final class ResponderRegistration<R: Request>: Registration, @unchecked Sendable {
    private let pendingAnswers: PendingAnswers<R>

    init(_ settings: borrowing RegistrationSettings, _ responder: @escaping Responder<R>) {
        pendingAnswers = PendingAnswers(responder)
        super.init(settings, flags: [])
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        let source = source
        let hasBegun = input.read { (inquiry: borrowing Inquiry<R>) in
            pendingAnswers.begin(copy inquiry) {
                TidingsError.responderEnded("\(R.self)", at: source)
            }
        }
        return hasBegun ? .called : .ended
    }

    override var inputName: MessageName { .type(R.self) }

    override var place: HandlerPlace { .responder }

    override func cancel() {
        super.cancel()
        pendingAnswers.close()
    }

    override func releaseHandler() { pendingAnswers.retire() }
}
