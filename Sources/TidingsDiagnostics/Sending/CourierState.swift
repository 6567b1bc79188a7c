// SPDX-License-Identifier: Apache-2.0

/// When a courier works, waits and rests, as a value.
struct CourierState: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        /// There is nothing to send, or nothing may be sent.
        case idle
        /// One worker is under way; with the flag it looks again before it rests.
        case working(isAskedAgain: Bool)
        /// An alarm will ring.
        case waiting(alarm: Int)
        case closed
    }

    enum RestAction: Hashable, Sendable {
        /// Something has come meanwhile: look again.
        case lookAgain
        case sleep(alarm: Int, Duration)
        case end
    }

    private(set) var phase = Phase.idle
    /// Grows with whatever makes a send that was decided on before void.
    private(set) var version = 0
    private(set) var isSending = false
    /// Whether the send under way was called off.
    private(set) var isInterrupted = false
    /// How many changes are under way during which nothing may begin to be sent.
    private var holds = 0
    private var lastAlarm = 0

    var isHeld: Bool { holds > 0 || isClosed }
    var isClosed: Bool { phase == .closed }

    /// There may be something to send.
    ///
    /// - Returns: Whether a worker begins; an alarm that is set is not needed any more.
    mutating func wake() -> Bool {
        switch phase {
        case .idle, .waiting:
            phase = .working(isAskedAgain: false)
            return true
        case .working:
            phase = .working(isAskedAgain: true)
            return false
        case .closed: return false
        }
    }

    /// An alarm rings; returns whether a worker begins.
    mutating func ring(_ alarm: Int) -> Bool {
        guard phase == .waiting(alarm: alarm) else { return false }
        return wake()
    }

    /// The worker has nothing to do, for a while or until it is woken.
    mutating func rest(for delay: Duration?) -> RestAction {
        switch phase {
        case .working(isAskedAgain: true):
            phase = .working(isAskedAgain: false)
            return .lookAgain
        case .working(isAskedAgain: false):
            guard let delay else {
                phase = .idle
                return .end
            }
            lastAlarm += 1
            phase = .waiting(alarm: lastAlarm)
            return .sleep(alarm: lastAlarm, delay)
        case .idle, .waiting, .closed: return .end
        }
    }

    /// Returns whether what was decided on at a version may still be sent.
    mutating func beginSend(decidedAt version: Int) -> Bool {
        guard case .working = phase, !isHeld, version == self.version else { return false }
        isSending = true
        isInterrupted = false
        return true
    }

    /// The send is over; returns whether it was called off.
    mutating func endSend() -> Bool {
        isSending = false
        return isInterrupted
    }

    /// Calls off what is being sent, and what was decided on.
    private mutating func interrupt() {
        version += 1
        isInterrupted = isSending
    }

    /// Calls off what is being sent, and nothing begins until it is released.
    mutating func hold() {
        interrupt()
        holds += 1
    }

    mutating func release() { holds -= 1 }

    mutating func close() {
        interrupt()
        phase = .closed
    }
}
