// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// The way of one frame of a stream.
extension Subscription {
    func take(
        _ stored: StoredFrame,
        until end: ReadingEnd
    ) async throws(TransportError) {
        guard state.withLock({ $0.read(stored.sequence) }) == .handle else { return }
        let id = id(of: stored, in: state.withLock { $0.stream })
        let mark = mark(of: stored, id: id)
        guard let cursor = state.withLock({ $0.cursor(at: stored.sequence, id: mark) }) else {
            return
        }
        let envelope: BridgeEnvelope
        do throws(BridgeError) {
            envelope = try BridgeEnvelope(stored.frame, fallbackID: id, stored: stored.time)
        } catch {
            return try bury(stored, id: id, error, attempts: 0, at: cursor)
        }
        while try await !settle(stored, envelope, at: cursor, until: end) {
            try await pauseReading(until: end)
        }
        counts.withLock {
            $0.position = stored.sequence
            $0.newest = max($0.newest, stored.sequence)
        }
    }

    /// Skips, parks or handles a frame.
    ///
    /// - Returns: False if too many messages wait for another attempt.
    private func settle(
        _ stored: StoredFrame,
        _ envelope: BridgeEnvelope,
        at cursor: Cursor,
        until end: ReadingEnd
    ) async throws(TransportError) -> Bool {
        while true {
            switch try verdict(on: envelope) {
            case .skip(let count):
                counts.withLock { count(&$0) }
                // If the move fails, the frame is skipped again after a restart. A full disk must
                // not end the connection of the publisher because of a skipped frame.
                try? move(to: cursor)
                return true
            case .wait: try await waitForSibling(envelope.id, until: end)
            case .park: return try park(stored, envelope, attempts: 0, cause: "", at: cursor)
            case .deliver: return try await deliver(stored, envelope, at: cursor)
            }
        }
    }

    private enum Verdict {
        case deliver
        /// Keeps the message behind another message of its lane.
        case park
        /// Waits for the bridge of this center that has the message in work.
        case wait
        case skip(@Sendable (inout SubscriptionStatus) -> Void)
    }

    private func verdict(on envelope: BridgeEnvelope) throws(TransportError) -> Verdict {
        if envelope.origin == storage.origin { return .skip { _ in } }
        if envelope.type != name || envelope.hops > hopLimit { return .skip { $0.skipped += 1 } }
        return try stored { () throws(BridgeError) -> Verdict in
            if try storage.hasSeen(envelope.id) { return .skip { $0.repeats += 1 } }
            let isBehind =
                retry.keepsOrder ? try storage.isParked(lane(of: envelope), of: name) : false
            // The claim comes last, so that each claim is completed or released.
            return switch Siblings.claim(envelope.id, by: storage.origin, on: center) {
            case .granted: isBehind ? .park : .deliver
            case .inWork: .wait
            case .done: .skip { $0.repeats += 1 }
            }
        }
    }

    /// Waits until another bridge of the center has handled or given up a message.
    ///
    /// The handlers may still fail there, or that bridge may end.
    func waitForSibling(
        _ id: String,
        until readingEnd: ReadingEnd? = nil
    ) async throws(TransportError) {
        let end = Answer<Bool>()
        let isInWork = Siblings.wait(for: id, on: center) { end.settle(.success(true)) }
        guard isInWork else { return }
        readingEnd?.whenOver { end.settle(.success(false)) }
        guard case .success(true) = await end.outcome(onCancel: { end.settle(.success(false)) })
        else {
            throw TransportError(.closed, "The reading was cancelled.")
        }
    }

    /// Hands a message to the handlers, and stores the outcome.
    ///
    /// - Returns: False if too many messages wait for another attempt.
    private func deliver(
        _ stored: StoredFrame,
        _ envelope: BridgeEnvelope,
        at cursor: Cursor
    ) async throws(TransportError) -> Bool {
        let outcome = await outcome(of: stored, envelope)
        return try store(outcome, of: stored, envelope, at: cursor)
    }

    /// Calls the handlers, unless the storage has not taken the outcome of their last call.
    private func outcome(
        of stored: StoredFrame,
        _ envelope: BridgeEnvelope
    ) async -> Inlet.Outcome {
        let known = unstored.withLock { $0?.id == envelope.id ? $0?.outcome : nil }
        if let known { return known }
        let outcome = await inlet.deliver(stored.frame.body, envelope)
        if outcome.isFinal { unstored.withLock { $0 = (envelope.id, outcome) } }
        return outcome
    }

    /// Stores the outcome of a first attempt.
    ///
    /// - Returns: False if too many messages wait for another attempt.
    private func store(
        _ outcome: Inlet.Outcome,
        of stored: StoredFrame,
        _ envelope: BridgeEnvelope,
        at cursor: Cursor
    ) throws(TransportError) -> Bool {
        switch outcome {
        case .handled, .unheard:
            // The message is complete even if the outcome cannot be stored. Otherwise, another
            // bridge would call the handlers again.
            Siblings.complete(envelope.id, by: storage.origin, on: center)
            try self.stored { () throws(BridgeError) in
                try storage.settle(envelope.id, of: name, at: cursor)
            }
            counts.withLock {
                $0.handled += 1
                $0.position = stored.sequence
            }
            noteChange()
        case .failed(let cause) where retry.attempts <= 1:
            let error = BridgeError(.handlerFailed, cause)
            try bury(stored, id: envelope.id, error, attempts: 1, at: cursor)
        case .failed(let cause):
            guard try park(stored, envelope, attempts: 1, cause: cause, at: cursor) else {
                return false
            }
            counts.withLock { $0.failures += 1 }
        case .undecodable(let error):
            try bury(stored, id: envelope.id, error, attempts: 0, at: cursor)
        case .unavailable:
            Siblings.release(envelope.id, by: storage.origin, on: center)
            throw TransportError(.closed, "The center has finished.")
        }
        unstored.withLock { $0 = nil }
        return true
    }

    /// Keeps a message for another attempt.
    ///
    /// - Returns: False if too many messages wait already.
    private func park(
        _ frame: StoredFrame,
        _ envelope: BridgeEnvelope,
        attempts: Int,
        cause: String,
        at cursor: Cursor
    ) throws(TransportError) -> Bool {
        let isKept = try keep(envelope.id) { () throws(BridgeError) in
            guard try storage.parkedCount() < storage.limits.parkedMessages else { return false }
            try storage.park(
                frame,
                id: envelope.id,
                of: name,
                lane: lane(of: envelope),
                attempts: attempts,
                cause: cause,
                at: cursor
            )
            return true
        }
        if isKept { parking.raise() }
        return isKept
    }

    /// Pauses while too many messages wait.
    ///
    /// Another task tries the waiting messages again during the pause.
    private func pauseReading(until end: ReadingEnd) async throws(TransportError) {
        try end.check()
        await time.sleep(for: .milliseconds(100))
    }

    private func bury(
        _ frame: StoredFrame,
        id: String,
        _ error: BridgeError,
        attempts: Int,
        at cursor: Cursor
    ) throws(TransportError) {
        _ = try keep(id) { () throws(BridgeError) in
            try storage.bury(death(of: frame, id: id, error, attempts: attempts), at: cursor)
            return true
        }
        noteChange()
    }

    /// Returns the lane of a message.
    ///
    /// Messages of one lane wait for each other if the order is kept.
    private func lane(of envelope: BridgeEnvelope) -> String {
        guard retry.keepsOrder, let key = envelope.key else { return envelope.id }
        return "\(envelope.origin) \(key)"
    }
}
