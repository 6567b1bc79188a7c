// SPDX-License-Identifier: Apache-2.0

/// The state machine of a ``ReportSender``: when it works, waits and rests.
struct ReportSenderState: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        /// Nothing is left to send, or nothing may be sent.
        case idle
        /// One worker is running. With the flag it checks again before it rests.
        case working(isAskedAgain: Bool)
        /// A timer is set.
        case waiting(timer: Int)
        case closed
    }

    enum RestAction: Hashable, Sendable {
        /// Something was added meanwhile, so the worker checks again.
        case lookAgain
        case sleep(timer: Int, Duration)
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
    private var lastTimer = 0

    var isHeld: Bool { holds > 0 || isClosed }
    var isClosed: Bool { phase == .closed }

    /// Requests a check for something to send.
    ///
    /// - Returns: Whether to start a worker, which replaces the timer.
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

    /// Handles an expired timer; returns whether to start a worker.
    mutating func fire(_ timer: Int) -> Bool {
        guard phase == .waiting(timer: timer) else { return false }
        return wake()
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
            lastTimer += 1
            phase = .waiting(timer: lastTimer)
            return .sleep(timer: lastTimer, delay)
        case .idle, .waiting, .closed: return .end
        }
    }

    /// Marks the start of a delivery; returns false if the decision at `version` is no longer
    /// valid.
    mutating func beginSend(decidedAt version: Int) -> Bool {
        guard case .working = phase, !isHeld, version == self.version else { return false }
        isSending = true
        isInterrupted = false
        return true
    }

    /// Marks the end of the delivery; returns whether it was canceled.
    mutating func endSend() -> Bool {
        isSending = false
        return isInterrupted
    }

    /// Cancels the delivery in progress and invalidates earlier decisions.
    private mutating func interrupt() {
        version += 1
        isInterrupted = isSending
    }

    /// Cancels the delivery in progress and prevents further ones until `release()`.
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
