// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The unfinished deliveries of a message whose poster waits.
final class DeliveryGroup: Sendable {
    private struct State {
        /// The number of unfinished deliveries, plus one for the poster.
        var open = 1
        var failures: [HandlerFailure] = []
        /// The number of deliveries that were unfinished when the waiting task was cancelled.
        var abandoned = 0
        var poster: CheckedContinuation<Void, Never>?
        /// The recorded waits of the poster's own call.
        var goals: [WaitGraph.Goal] = []

        /// Takes the poster out, if the poster has nothing left to wait for.
        mutating func takePoster() -> CheckedContinuation<Void, Never>? {
            guard open == 0 || abandoned > 0 else { return nil }
            defer { poster = nil }
            return poster
        }
    }

    /// The call of the handler that posts, if a handler does.
    private let caller = MailboxCall.running
    private let state = Lock(State())

    /// Counts one more delivery.
    func enter() {
        state.withLock { $0.open += 1 }
    }

    /// Counts a delivery to a mailbox.
    ///
    /// Returns false, without counting, if the mailbox's handler waits for the poster.
    func enter(_ mailbox: UInt64) -> Bool {
        let goal = WaitGraph.Goal.mailbox(mailbox)
        guard WaitGraph.begin(caller, waitsFor: goal) else { return false }
        state.withLock { state in
            state.open += 1
            state.goals.append(goal)
        }
        return true
    }

    /// Counts a delivery as done.
    func leave() {
        let poster = state.withLock { state in
            state.open -= 1
            return state.takePoster()
        }
        poster?.resume()
    }

    /// Counts a delivery as done after the handler threw.
    ///
    /// Returns false if the poster no longer waits.
    func leave(_ registration: Registration, _ error: any Error) -> Bool {
        let failure = HandlerFailure(error: error, observation: registration.info)
        let (poster, isKept) = state.withLock { state in
            state.open -= 1
            let isKept = state.abandoned == 0
            if isKept { state.failures.append(failure) }
            return (state.takePoster(), isKept)
        }
        poster?.resume()
        return isKept
    }

    /// Keeps the error of a handler that runs on the poster's thread.
    func note(_ registration: Registration, _ error: any Error) {
        let failure = HandlerFailure(error: error, observation: registration.info)
        state.withLock { $0.failures.append(failure) }
    }

    /// Waits until every delivery is done or the task is cancelled.
    func wait(recipients: Int) async -> DeliveryReport {
        leave()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let poster = state.withLock { state in
                    state.poster = continuation
                    return state.takePoster()
                }
                poster?.resume()
            }
        } onCancel: {
            let poster = state.withLock { state in
                state.abandoned = state.open
                return state.takePoster()
            }
            poster?.resume()
        }
        return end(recipients)
    }

    private func end(_ recipients: Int) -> DeliveryReport {
        let (goals, failures, abandoned) = state.withLock { state in
            defer { state.goals = [] }
            return (state.goals, state.failures, state.abandoned)
        }
        for goal in goals { WaitGraph.end(caller, waitsFor: goal) }
        return DeliveryReport(
            recipients: recipients,
            failures: failures,
            isDelivered: true,
            unfinished: abandoned
        )
    }
}

/// The context that goes with a message into a queue.
struct DeliveryContext: Sendable {
    /// The deliveries that the poster waits for, if the poster waits.
    var group: DeliveryGroup?
    /// The places promised for the message.
    var places: PromisedPlaces?
    /// Records whether the handler was called, if the message waits for a handler.
    var acknowledgment: Acknowledgment?
    /// Whether the filter accepted the message before the message took a place in a queue.
    var hasPassedFilter = false
    /// Whether the center may call its error hooks about failures.
    var reportsErrors = true

    /// Returns the result of an observation's filter, if the filter was already called.
    func isWanted(by registration: Registration) -> Bool? {
        hasPassedFilter ? true : places?.isWanted(by: registration)
    }
}
