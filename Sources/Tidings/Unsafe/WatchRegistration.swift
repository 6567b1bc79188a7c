// SPDX-License-Identifier: Apache-2.0

/// A registration that a center calls for each post.
///
/// Invariant: the same as for ``ClosureRegistration``. The two closures are replaced together.
final class WatchRegistration: Registration, @unchecked Sendable {
    typealias PostingSink = @Sendable (PostingEvent) -> Void
    typealias DeliverySink = @Sendable (DeliveryEvent) -> Void

    private var posting: PostingSink?
    private var delivered: DeliverySink?

    init(
        _ settings: borrowing RegistrationSettings,
        posting: PostingSink?,
        delivered: DeliverySink?
    ) {
        self.posting = posting
        self.delivered = delivered
        super.init(settings, flags: [])
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        input.read { (event: borrowing TraceEvent) in
            switch event {
            case .posting(let event): posting?(event)
            case .delivered(let event): delivered?(event)
            }
        }
        return .called
    }

    override var inputName: MessageName { .text("every message") }

    override var place: HandlerPlace { .watcher }

    override func releaseHandler() {
        posting = nil
        delivered = nil
    }
}
