// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension Resource {
    /// Starts to load the data if the data is stale and no load is running.
    ///
    /// The load belongs to the resource and runs until the load is over, ``reset()`` is called or
    /// the last observer has left. Before the first load, the resource reads and shows the stored
    /// copy. If that copy is younger than the option `staleAfter`, the resource uses the copy as
    /// data and does not call the loader.
    ///
    /// To load data that is not stale, call ``invalidate()`` first.
    public func refreshIfNeeded() {
        let now = publisher.now()
        request(.ownIfStale) { $0.isStale(at: now) }
    }

    /// Starts to load the data, stale or not, unless a load is running.
    func beginLoad() {
        request(.own) { _ in true }
    }

    /// Loads the data and returns the result.
    ///
    /// Callers join a load that is already running and receive the same outcome. When the calling
    /// task is cancelled, the caller stops waiting. If the load has no other requester, the load is
    /// also cancelled. Observers may be notified slightly later, so use the returned value.
    ///
    /// ```swift
    /// let lessons = try await resource.refresh()
    /// ```
    ///
    /// - Returns: The data when the load is over, which is either the answer of the load, or data
    ///   that was written during the load.
    /// - Throws: The loader's error at the last attempt. If this task was cancelled,
    ///   `CancellationError`. If the data was dropped during the call, `TidingsError` with the code
    ///   `finished`.
    @discardableResult
    public func refresh() async throws -> Value {
        try Task.checkCancellation()
        let answer = Answer<Value>()
        let waiter = core.withLock { core in
            core.lastWaiter += 1
            core.waiters[core.lastWaiter] = answer
            return core.lastWaiter
        }
        // The request runs on the caller's thread, so that observers on the caller's actor are
        // notified immediately.
        request(.waiter(waiter)) { _ in true }
        return try await answer.outcome { [self] in leave(waiter) }.get()
    }

    /// Marks the data as stale.
    ///
    /// The state stays and `isStale` of the publisher becomes true, so the next
    /// ``refreshIfNeeded()`` loads. A running load drops the answer and is followed by exactly one
    /// more load, even after several calls of this function.
    public func invalidate() {
        publisher.invalidate()
    }

    /// Drops everything, as after a logout: the data, the stored copy and the running load.
    ///
    /// Callers that wait for the load receive an error with the code `finished`.
    public func reset() {
        var ending = Ending()
        publisher.change { memory in
            core.withLock { core in
                ending = Ending(core.machine.end(), in: &core)
                ending.writes = core.writes.take()
                core.hasReadStore = false
                ending.stored = store?.append(.remove)
            }
            return memory.reset()
        }
        publisher.noteOutdated()
        conclude(ending, .failure(TidingsError.wasReset(Value.self)))
    }

    /// Waits until the store has completed all earlier reads, writes and removals.
    ///
    /// ```swift
    /// await lessons.flush()
    /// ```
    public func flush() async {
        await store?.flush()
    }

    /// Starts a load or joins the running load, if `isDue` returns true.
    private func request(
        _ requester: LoadMachine.Requester,
        _ isDue: (StateMemory<Value>) -> Bool
    ) {
        var number: Int?
        publisher.change { memory in
            guard isDue(memory) else { return nil }
            let rest = memory.rest
            number = core.withLock {
                $0.machine.request(requester, at: memory.stamp, rest: rest)
            }
            return number == nil ? nil : memory.startLoading()
        }
        if let number {
            entry?.workBegan()
            run(number)
        }
    }

    private func leave(_ waiter: Int) {
        var ending = Ending()
        var answer: Answer<Value>?
        publisher.change { memory in
            let load = core.withLock { core -> LoadMachine.Load? in
                answer = core.waiters.removeValue(forKey: waiter)
                let load = core.machine.leave(waiter)
                ending = Ending(load, in: &core)
                return load
            }
            return load.flatMap { memory.end(at: $0.rest) }
        }
        conclude(ending, .failure(CancellationError()))
        _ = answer?.settle(.failure(CancellationError()))
    }

    /// Ends a load that only the resource requested, if all observers are gone.
    func disown() {
        var ending = Ending()
        publisher.change { memory in
            // An observer that another thread has just added needs the load.
            guard !isObserved else { return nil }
            let load = core.withLock { core -> LoadMachine.Load? in
                let load = core.machine.disown()
                ending = Ending(load, in: &core)
                return load
            }
            return load.flatMap { memory.end(at: $0.rest) }
        }
        conclude(ending, .failure(CancellationError()))
    }
}

extension Resource {
    /// Does the remaining work for a load that has ended, if any, outside the locks.
    func conclude(_ ending: Ending, _ outcome: Result<Value, any Error>) {
        // The family knows of the end before a waiter goes on to use another key.
        entry?.workEnded()
        ending.finish(outcome, of: publisher)
    }

    /// The remaining work for a load that has ended, done outside the locks.
    struct Ending: Sendable {
        var waiters: [Answer<Value>] = []
        var task: Task<Void, Never>?
        /// The pending step of the store, already at its position in the queue.
        var stored: StoreQueue<Value>.Pending?
        /// The writes are released together with this value, like the load, which holds an error.
        var writes: PendingWrites<Value>?
        private var load: LoadMachine.Load?

        init() {}

        init(_ load: LoadMachine.Load?, in core: inout ResourceCore<Value>) {
            guard let load else { return }
            self.load = load
            waiters = core.takeWaiters(of: load)
            task = core.takeTask(of: load)
        }

        /// Returns the outcome to the waiters after all observers were notified.
        fileprivate func finish(
            _ outcome: Result<Value, any Error>,
            of publisher: StatePublisher<Value>
        ) {
            task?.cancel()
            stored?.begin()
            guard !waiters.isEmpty else { return }
            publisher.whenTold { [waiters] in
                for waiter in waiters { _ = waiter.settle(outcome) }
            }
        }
    }
}

extension TidingsError {
    static func wasReset<Value>(_ type: Value.Type) -> TidingsError {
        TidingsError(
            .finished,
            "The resource of \(type) was reset while it loaded. Refresh again if it is still needed."
        )
    }
}
