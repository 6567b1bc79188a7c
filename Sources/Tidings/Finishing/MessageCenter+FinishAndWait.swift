// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Ends the center's work for good and waits until every posted message is handled.
    ///
    /// The rules are the same as for ``finish()``. This call returns when every handler that was to
    /// receive a message has returned, on a poster's thread, on the main actor or in a task, and
    /// when every sequence has been read to the end or dropped. Inside an asynchronous handler of
    /// this center, the call waits neither for the observation of this handler nor for an
    /// observation that waits for this handler in turn.
    ///
    /// At the limit, or when the task is cancelled, the center is still finished, and the handlers
    /// continue.
    ///
    /// ```swift
    /// try await center.finishAndWait(within: .seconds(5))
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The longest wait, or nil to wait forever.
    ///   - clock: The clock that measures the limit.
    ///   - fileID: The calling file, for the error.
    ///   - line: The calling line.
    /// - Throws: `timedOut` at the limit, with the unfinished observations in the message, or
    ///   `CancellationError` if the task was cancelled first.
    public func finishAndWait(
        within limit: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        finish()
        let source = SourceLocation(fileID: fileID, line: line)
        let (drainGroup, caller, answer) = (drainGroup, MailboxCall.running, Answer<Void>())
        let (goals, excluded) = drainGroup.goals(of: caller)
        drainGroup.whenOver(excluding: excluded) { answer.settle(.success(())) }
        let deadline = Deadline(after: limit, on: clock) { limit in
            let rest = drainGroup.statuses(excluding: excluded)
            answer.settle(.failure(TidingsError.notDrained(rest, within: limit, at: source)))
        }
        answer.whenSettled { deadline.cancel() }
        let outcome = await answer.outcome { answer.settle(.failure(CancellationError())) }
        for goal in goals { WaitGraph.end(caller, waitsFor: goal) }
        try outcome.get()
    }

    /// The drain group of this center, even if the center has not finished.
    var drainGroup: DrainGroup {
        finishing.withLock { finishing in
            if let finishing { return finishing }
            let drainGroup = DrainGroup()
            finishing = drainGroup
            return drainGroup
        }
    }
}

extension DrainGroup {
    /// Records the waits of a call and returns the goals and the observations to exclude.
    fileprivate func goals(of caller: MailboxCall?) -> ([WaitGraph.Goal], excluded: Set<UInt64>) {
        var (goals, excluded): ([WaitGraph.Goal], Set<UInt64>) = ([], [])
        for registration in remaining {
            for queue in registration.parts.compactMap(\.queue) {
                guard let goal = queue.mailboxNumber.map({ WaitGraph.Goal.mailbox($0) }) else {
                    continue
                }
                if WaitGraph.begin(caller, waitsFor: goal) {
                    goals.append(goal)
                } else {
                    excluded.insert(registration.identifier)
                }
            }
        }
        return (goals, excluded)
    }

    /// Returns the observations that still have something to handle.
    ///
    /// If only calls on posters' threads remain, all observations are returned, because nothing
    /// counts such calls.
    fileprivate func statuses(excluding excluded: Set<UInt64>) -> [ObservationFigures] {
        let rest = remaining.filter { !excluded.contains($0.identifier) }
        let busy = rest.filter { registration in
            registration.parts.contains { $0.queue?.pending ?? 0 > 0 || !$0.runningCalls.isEmpty }
        }
        return (busy.isEmpty ? rest : busy).map { ObservationFigures($0) }
    }
}
