// SPDX-License-Identifier: Apache-2.0

extension Mailbox {
    /// The pending messages and the workers, as a value.
    ///
    /// A worker is a task that handles one message after another. Up to `concurrency` workers exist
    /// while there are messages to handle. Each worker makes one call at a time.
    struct State: Sendable {
        private let concurrency: Int
        var bufferState: BufferState
        private var entries = Fifo<Entry>()
        private var workers: [Worker] = []
        private var lastWorker = 0
        /// Nil once no worker can need the step any more.
        private var step: Step?
        private(set) var isDiscarded = false
        /// Called once the mailbox is closed and nothing is pending or running.
        var drained = DrainActions()

        private struct Worker {
            let id: Int
            var cancel: (@Sendable () -> Void)?
            var call: MailboxCall?
        }

        init(_ buffering: Buffering, concurrency: Int, step: @escaping Step) {
            self.concurrency = concurrency
            self.step = step
            bufferState = BufferState(buffering)
        }

        /// The calls in progress.
        var calls: [MailboxCall] { workers.compactMap(\.call) }

        // MARK: Messages

        struct PushAction {
            /// The number of a worker to start.
            var worker: Int?
            /// The entry for the caller to drop, because no foreign value is released in here.
            var dropped: Entry?
        }

        mutating func push(_ entry: Entry, hasPlace: Bool) -> PushAction {
            // A worker without a call takes the next message, which needs no room.
            let idle = workers.count { $0.call == nil }
            switch bufferState.admit(hasPlace: hasPlace, extra: idle) {
            case .append:
                entries.append(entry)
                guard workers.count < concurrency, entries.count > idle else { return PushAction() }
                lastWorker += 1
                workers.append(Worker(id: lastWorker))
                return PushAction(worker: lastWorker)
            case .replaceFirst:
                let first = entries.popFirst()
                entries.append(entry)
                return PushAction(dropped: first)
            case .refuse, .closed:
                return PushAction(dropped: entry)
            }
        }

        // MARK: Workers

        /// Keeps the closure that cancels a worker's task.
        ///
        /// Returns false if the caller must cancel the task immediately.
        mutating func adopt(_ worker: Int, cancel: @escaping @Sendable () -> Void) -> Bool {
            if isDiscarded { return false }
            if let index = index(of: worker) { workers[index].cancel = cancel }
            return true
        }

        struct ContinueAction {
            /// The step that handles a message, or nil to end the worker.
            var step: Step?
            /// The step that no worker can need any more, for the caller to release.
            var released: Step?
        }

        /// Decides how a worker continues between two messages.
        mutating func continues(_ worker: Int) -> ContinueAction {
            guard index(of: worker) != nil else { return ContinueAction() }
            if !entries.isEmpty { return ContinueAction(step: step) }
            workers.removeAll { $0.id == worker }
            return ContinueAction(released: releaseStep())
        }

        /// Takes the next message for a call, if there is a message.
        ///
        /// This is the last check before the call.
        mutating func begin(_ call: MailboxCall) -> (entry: Entry, poster: WaitingPoster?)? {
            guard let index = index(of: call.worker), let entry = entries.popFirst() else {
                return nil
            }
            workers[index].call = call
            return (entry, bufferState.take())
        }

        /// Ends the call of a worker and returns the step if no worker can need it any more.
        mutating func end(_ worker: Int) -> Step? {
            if let index = index(of: worker) { workers[index].call = nil }
            if isDiscarded { workers.removeAll { $0.id == worker } }
            return releaseStep()
        }

        /// The first pending message, which stays in place.
        var first: Entry? { entries.first }

        // MARK: The end

        /// Accepts no more messages, while pending messages are still handled.
        mutating func close() -> (posters: [WaitingPoster], released: Step?) {
            (bufferState.close(), releaseStep())
        }

        struct DiscardAction {
            var entries: Fifo<Entry>
            var posters: [WaitingPoster]
            /// The closures that cancel the running tasks.
            var cancels: [@Sendable () -> Void]
            var released: Step?
        }

        /// Accepts no more messages and drops the pending messages.
        mutating func discard() -> DiscardAction {
            isDiscarded = true
            let posters = bufferState.close()
            bufferState.takeAll()
            let dropped = entries
            entries = Fifo()
            let cancels = workers.compactMap(\.cancel)
            // A worker without a call is removed here, and therefore ends.
            workers.removeAll { $0.call == nil }
            return DiscardAction(
                entries: dropped,
                posters: posters,
                cancels: cancels,
                released: releaseStep()
            )
        }

        /// Whether the mailbox is closed and nothing is pending or running.
        var isDrained: Bool { bufferState.isClosed && entries.isEmpty && workers.isEmpty }

        /// Takes the step out if no worker will need it again.
        private mutating func releaseStep() -> Step? {
            guard isDrained else { return nil }
            defer { step = nil }
            return step
        }

        private func index(of worker: Int) -> Int? {
            workers.firstIndex { $0.id == worker }
        }
    }
}
