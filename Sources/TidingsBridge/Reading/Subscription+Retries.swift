// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Further attempts of messages whose handlers threw.
extension Subscription {
    /// Tries parked messages again until the task is cancelled.
    func retryParked() async {
        var due: [Int: Duration] = [:]
        var unstored: [Int: Inlet.Outcome] = [:]
        while !Task.isCancelled {
            guard let waiting = try? storage.parked(of: name, firstOfEachLane: true, limit: 200)
            else {
                await time.sleep(for: .seconds(1))
                continue
            }
            let now = time.now
            var next: [Int: Duration] = [:]
            for message in waiting {
                next[message.number] =
                    due[message.number]
                    ?? now + retry.pause(after: message.attempts)
            }
            due = next
            let ready = waiting.filter { (due[$0.number] ?? now) <= now }
            for message in ready where !Task.isCancelled {
                let known = unstored.removeValue(forKey: message.number)
                let outcome = if let known { known } else { await attempt(message) }
                // The storage would probably fail again immediately, so the next attempt is later.
                let isStored = store(outcome, of: message)
                if !isStored, outcome.isFinal { unstored[message.number] = outcome }
                due[message.number] = isStored ? nil : time.now + .seconds(1)
            }
            guard ready.isEmpty else { continue }
            await parking.wait(until: due.values.min()) { [time] end in
                await time.sleep(for: end - time.now)
            }
        }
    }

    /// Calls the handlers once more.
    private func attempt(_ message: ParkedMessage) async -> Inlet.Outcome {
        do {
            let envelope = try BridgeEnvelope(
                message.stored.frame,
                fallbackID: message.id,
                stored: message.stored.time
            )
            return await attempt(message.stored.frame.body, envelope)
        } catch {
            return .undecodable(error)
        }
    }

    /// Stores the outcome of a further attempt.
    ///
    /// - Returns: Whether the outcome was stored.
    private func store(_ outcome: Inlet.Outcome, of message: ParkedMessage) -> Bool {
        defer { noteChange() }
        let attempts = message.attempts + 1
        switch outcome {
        case .handled, .unheard:
            guard (try? storage.removeParked(message.number)) != nil else { return false }
            counts.withLock { $0.handled += 1 }
            return true
        case .failed(let cause):
            let isLast = attempts >= retry.attempts
            let isStored =
                isLast
                ? buryParked(message, BridgeError(.handlerFailed, cause), attempts: attempts)
                : (try? storage.failParked(message.number, attempts: attempts, cause: cause)) != nil
            if isStored { counts.withLock { $0.failures += 1 } }
            return isStored
        case .undecodable(let error):
            return buryParked(message, error, attempts: attempts)
        case .unavailable:
            return false
        }
    }

    private func buryParked(
        _ message: ParkedMessage,
        _ error: BridgeError,
        attempts: Int
    ) -> Bool {
        let death = death(of: message.stored, id: message.id, error, attempts: attempts)
        return (try? storage.bury(death, at: nil, parked: message.number)) != nil
    }

    /// Tries again the messages that were revived from the dead letters.
    func messagesWereParked() {
        parking.raise()
    }

    /// Calls the handlers in a separate task, so that no cancellation reaches them.
    private func attempt(_ body: [UInt8], _ envelope: BridgeEnvelope) async -> Inlet.Outcome {
        let inlet = inlet
        return await Task { await inlet.deliver(body, envelope) }.value
    }
}
