// SPDX-License-Identifier: Apache-2.0

/// The state machine of a ``ReportSender``, which works, sleeps or rests.
struct ReportSenderState: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        /// Nothing is left to send, or nothing may be sent.
        case idle
        /// One worker is running, which with the flag checks again before resting.
        case working(isAskedAgain: Bool)
        /// The worker sleeps.
        case asleep
        case closed
    }

    enum WakeAction: Hashable, Sendable {
        case none
        /// A worker starts.
        case start
        /// The worker must end its sleep early.
        case endSleep
    }

    enum RestAction: Hashable, Sendable {
        /// A wake-up arrived during the turn, so the worker checks again.
        case lookAgain
        case sleep(Duration)
        case end
    }

    private(set) var phase = Phase.idle
    /// Incremented to invalidate earlier decisions to send.
    private(set) var version = 0
    private(set) var isSending = false
    /// Whether the current delivery was canceled.
    private(set) var isInterrupted = false
    /// The number of changes in progress during which no delivery may start.
    private var holds = 0

    var isHeld: Bool { holds > 0 || isClosed }
    var isClosed: Bool { phase == .closed }

    /// Requests a check for something to send.
    mutating func wake() -> WakeAction {
        switch phase {
        case .idle:
            phase = .working(isAskedAgain: false)
            return .start
        case .working:
            phase = .working(isAskedAgain: true)
            return .none
        case .asleep:
            endSleep()
            return .endSleep
        case .closed: return .none
        }
    }

    /// Starts the next turn of a worker that slept.
    mutating func endSleep() {
        if phase == .asleep { phase = .working(isAskedAgain: false) }
    }

    /// Ends the worker's turn, for a delay or until the next wake-up.
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
            phase = .asleep
            return .sleep(delay)
        case .idle, .asleep, .closed: return .end
        }
    }

    /// Marks the start of a delivery.
    ///
    /// - Returns: False if the decision at `version` is no longer valid.
    mutating func beginSend(decidedAt version: Int) -> Bool {
        guard case .working = phase, !isHeld, version == self.version else { return false }
        isSending = true
        isInterrupted = false
        return true
    }

    /// Marks the end of the delivery and returns whether the delivery was canceled.
    mutating func endSend() -> Bool {
        isSending = false
        return isInterrupted
    }

    /// Cancels the delivery in progress and invalidates earlier decisions.
    private mutating func interrupt() {
        version += 1
        isInterrupted = isSending
    }

    /// Cancels the delivery in progress and prevents further deliveries until `release()`.
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
