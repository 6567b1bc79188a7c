// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Resource {
    /// Begins to load the data if it is stale and no load runs.
    ///
    /// The load belongs to the resource: it goes on until it is over, ``reset()`` is called or the
    /// last observer has left. Before the first load the resource reads the stored copy and shows
    /// it. If that is younger than ``ResourceOptions/staleAfter``, it is the data, and the loader
    /// is not called.
    ///
    /// To load data that is not stale, call ``invalidate()`` first.
    public func refreshIfNeeded() {
        let now = publisher.now()
        request(.ownIfStale) { $0.isStale(at: now) }
    }

    /// Begins to load the data, stale or not, unless a load runs.
    func beginLoad() {
        request(.own) { _ in true }
    }

    /// Loads the data and returns it.
    ///
    /// Whoever calls this while a load runs waits for that load, and all get the same outcome. When
    /// the task is cancelled it stops waiting; if nobody else wants the load, that is cancelled
    /// too.
    /// Observers may be told a moment later: use what this returns.
    ///
    /// ```swift
    /// let lessons = try await resource.refresh()
    /// ```
    ///
    /// - Returns: What is known of the data when the load is over: its answer, or what was written
    ///   meanwhile.
    /// - Throws: What the loader throws at the last attempt; `CancellationError` if this task was
    ///   cancelled; ``TidingsError`` with the code `wasReset` if the data was dropped meanwhile.
    @discardableResult
    public func refresh() async throws -> Value {
        try Task.checkCancellation()
        let answer = Answer<Value>()
        let waiter = core.withLock { core in
            core.lastWaiter += 1
            core.waiters[core.lastWaiter] = answer
            return core.lastWaiter
        }
        // On the caller's thread, so that observers on its actor are told at once.
        request(.waiter(waiter)) { _ in true }
        return try await answer.outcome { [self] in leave(waiter) }.get()
    }

    /// Says that the data is out of date.
    ///
    /// The state stays and ``isStale`` becomes true: the next ``refreshIfNeeded()`` loads. A load
    /// that
    /// runs is followed by exactly one more, however often this is called, and its own answer is
    /// dropped.
    public func invalidate() {
        publisher.invalidate()
    }

    /// Forgets everything, as after a logout: the data, the stored copy and the load that runs.
    ///
    /// Those who wait for the load get an error with the code `wasReset`.
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
        publisher.delivery.noteOutdated()
        ending.finish(.failure(TidingsError.wasReset(Value.self)), of: publisher)
    }

    /// Waits until the store has everything that was loaded or written before.
    ///
    /// ```swift
    /// await lessons.flush()
    /// ```
    public func flush() async {
        await store?.flush()
    }

    /// Begins a load or joins the one that runs, if `isDue` says so.
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
        if let number { run(number) }
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
        ending.finish(.failure(CancellationError()), of: publisher)
        _ = answer?.settle(.failure(CancellationError()))
    }

    /// Ends the load that only the resource itself wanted, if nobody observes any more.
    func disown() {
        var ending = Ending()
        publisher.change { memory in
            // Who has come meanwhile, on another thread, wants it.
            guard !isObserved else { return nil }
            let load = core.withLock { core -> LoadMachine.Load? in
                let load = core.machine.disown()
                ending = Ending(load, in: &core)
                return load
            }
            return load.flatMap { memory.end(at: $0.rest) }
        }
        ending.finish(.failure(CancellationError()), of: publisher)
    }
}

extension Resource {
    /// What is left to do, outside the locks, about a load that has ended.
    struct Ending: Sendable {
        var waiters: [Answer<Value>] = []
        var task: Task<Void, Never>?
        /// What the store is to do, in its place among what it does.
        var stored: StoreQueue<Value>.Pending?
        /// Released with this, as is the load, which holds an error.
        var writes: PendingWrites<Value>?
        private var load: LoadMachine.Load?

        init() {}

        init(_ load: LoadMachine.Load?, in core: inout ResourceCore<Value>) {
            guard let load else { return }
            self.load = load
            waiters = core.takeWaiters(of: load)
            task = core.takeTask(of: load)
        }

        /// Tells those who waited, once everybody was told who observes.
        func finish(_ outcome: Result<Value, any Error>, of publisher: StatePublisher<Value>) {
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
            .wasReset,
            "The resource of \(type) was reset while it loaded. Refresh again if it is still needed.",
            at: SourceLocation(fileID: #fileID, line: #line)
        )
    }
}
