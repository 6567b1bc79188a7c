// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsCoreFixtures

@testable import Tidings

/// Posters that are held between the check of the cancelled flag and the call, or before the check.
@Suite(.timeLimit(.minutes(15)))
struct CheckAndCallTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    @Test func m5_aPosterHeldAfterItsCheckStillCallsAndNothingIsFreed() {
        let (isChecked, mayCall) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        weak var captured: Canary?
        let token: ObservationToken
        do {
            let canary = Canary { [log] in log("released") }
            captured = canary
            let hold: @Sendable () -> Void = {
                isChecked.signal()
                mayCall.wait()
            }
            token = center.addHeld(hold) { [log] (_: Ping) in
                canary.stay()
                log("called")
            }
        }
        let isPosted = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { [center] in
            center.post(Ping())
            isPosted.signal()
        }
        isChecked.wait()
        // Cancelling never waits for the poster, although the poster has not made the call yet.
        token.cancel()
        log("cancelled")
        #expect(captured != nil)
        mayCall.signal()
        isPosted.wait()
        #expect(log.all == ["cancelled", "called", "released"])
        #expect(center.post(Ping()) == 0)
    }

    @Test func m5_aPosterHeldBeforeItsCheckDoesNotCall() {
        let (isReached, mayCheck) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let filter: @Sendable (Ping) -> Bool = { _ in
            isReached.signal()
            mayCheck.wait()
            return true
        }
        let token = center.messages(of: Ping.self).where(filter).observe { [log] _ in log("late") }
        let isPosted = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { [center] in
            center.post(Ping())
            isPosted.signal()
        }
        isReached.wait()
        token.cancel()
        mayCheck.signal()
        isPosted.wait()
        #expect(log.all.isEmpty)
    }
}

extension MessageCenter {
    /// Registers a handler whose poster runs `hold` between the check and the call.
    fileprivate func addHeld<M: Message>(
        _ hold: @escaping @Sendable () -> Void,
        _ handler: @escaping @Sendable (M) -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: #fileID, line: #line)
        return add(of: M.self, ObservationOptions<M>(), at: source) {
            HeldRegistration($0, hold, handler)
        }
    }
}

/// Does what every registration does, with a hold at the narrowest place.
private final class HeldRegistration<Input: Sendable>: Registration, @unchecked Sendable {
    private let hold: @Sendable () -> Void
    // Released as in real registrations, after all posters that may have found the handler active.
    private var handler: (@Sendable (Input) -> Void)?

    init(
        _ settings: RegistrationSettings,
        _ hold: @escaping @Sendable () -> Void,
        _ handler: @escaping @Sendable (Input) -> Void
    ) {
        self.hold = hold
        self.handler = handler
        super.init(settings, flags: [])
    }

    override func call(_ input: Incoming) -> CallOutcome {
        guard isPlainlyActive else { return .ended }
        hold()
        if let handler { input.read(handler) }
        return .called
    }

    override func releaseHandler() { handler = nil }
}
