// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension Resource {
    /// The step after an attempt.
    private enum Next {
        case over
        case again
        case retry(Duration)
    }

    /// Runs the attempts of a load in a task that retains the resource only to deliver a result.
    func run(_ number: Int) {
        let (isWanted, hasReadStore) = core.withLock {
            ($0.machine.load?.number == number, $0.hasReadStore)
        }
        // An observer that received the loading state may have ended the load.
        guard isWanted else { return }
        let (loader, timeline, pause) = (loader, timeline, options.retry.pause)
        let slowness = watch(number)
        let stored = hasReadStore ? nil : store
        // Detached: the task serves all requesters, so the task must not inherit task-local values
        // of this requester.
        let task = Task.detached { [weak self] in
            defer { slowness?.cancel() }
            if let stored {
                let copy = await stored.read()
                if self?.offer(copy, to: number) ?? true { return }
            }
            while !Task.isCancelled {
                let answer = await Result(loader)
                switch self?.finish(number, answer) ?? .over {
                case .over: return
                case .again: continue
                case .retry(let delay):
                    await timeline.sleep(for: delay, pausedBy: pause)
                    guard self?.beginRetry(of: number) ?? false else { return }
                }
            }
        }
        let isOver = core.withLock { core in
            guard core.machine.load?.number == number else { return true }
            core.task = (number, task)
            return false
        }
        if isOver { task.cancel() }
    }

    /// Shows the stored copy while the load is running, or leaves the copy for the next load.
    ///
    /// - Returns: True if the load is over, because the copy is fresh and no requester needs newer
    ///   data.
    private func offer(_ copy: StoredCopy<Value>?, to number: Int) -> Bool {
        let now = publisher.now()
        let loadedAt = copy?.loadedAt(now: now, wallTime: wallTime())
        var ending: Ending?
        publisher.change { memory in
            core.withLock { core in
                guard core.machine.load?.number == number else { return nil }
                core.hasReadStore = true
                guard let shown = copy.flatMap({ memory.offerStored($0.value, loadedAt: loadedAt) })
                else { return nil }
                guard memory.isFresh(at: now),
                    let load = core.machine.takeCopy(for: number, at: memory.stamp)
                else { return shown }
                ending = Ending(load, in: &core)
                return memory.end(at: .loaded)
            }
        }
        if ending == nil { return false }
        entry?.workEnded()
        return true
    }

    /// Marks the load as slow after the time limit.
    ///
    /// A cancelled timer fires early, but then no load is found.
    private func watch(_ number: Int) -> Task<Void, Never>? {
        guard let slowAfter = options.slowAfter else { return nil }
        return timeline.task(at: timeline.now + slowAfter) { [weak self] in
            guard let self else { return }
            publisher.change { memory in
                core.withLock { $0.machine.markSlow(number) } ? memory.markSlow() : nil
            }
        }
    }

    private func beginRetry(of number: Int) -> Bool {
        // Owners may have been deallocated while the machine was offline.
        publisher.sweep()
        return beginAttempt(of: number)
    }

    private func beginAttempt(of number: Int) -> Bool {
        publisher.withMemory { memory in
            core.withLock { $0.machine.beginRetry(of: number, at: memory.stamp) }
        }
    }

    private func finish(_ number: Int, _ result: Result<Value, any Error>) -> Next {
        switch result {
        case .success(let value): return finish(number, with: value)
        case .failure(let error):
            // A load that was ended does not consult the retry policy.
            guard let load = core.withLock({ $0.machine.load }), load.number == number
            else { return .over }
            let delay = delay(afterAttempt: load.attempt, failing: error)
            let next = finish(number, .failure(error, retryAfter: delay), error: error)
            // If the sweep removes the last observer, the load ends without another attempt.
            if case .retry = next { publisher.sweep() }
            return next
        }
    }

    private func finish(
        _ number: Int,
        _ answer: LoadMachine.Answer,
        error: any Error
    ) -> Next {
        var next = Next.over
        var ending = Ending()
        // The load, which holds the error of the last attempt, is released when this function
        // returns, outside the locks.
        var before: LoadMachine.Load?
        publisher.change { memory in
            core.withLock { core in
                before = core.machine.load
                switch core.machine.finish(number, answer, at: memory.stamp) {
                case .ignore: return nil
                case .again: next = .again
                case .retry(let delay): next = .retry(delay)
                case .apply(let load):
                    ending = Ending(load, in: &core)
                    return memory.setError(error)
                case .discard(let load):
                    ending = Ending(load, in: &core)
                    return memory.end(at: .loaded)
                }
                return nil
            }
        }
        // The task ends without a cancellation.
        ending.task = nil
        conclude(ending, .failure(error))
        withExtendedLifetime(before) {}
        return next
    }

    /// Finishes an attempt with data, and applies pending writes to the data again.
    private func finish(_ number: Int, with value: Value) -> Next {
        let now = publisher.now()
        let copy = StoredCopy(value, loadedAt: store == nil ? nil : wallTime())
        var next = Next.over
        var ending = Ending()
        var outcome: Result<Value, any Error> = .success(value)
        revise { writes, _ in
            // The user's code runs outside the locks.
            writes?.load(value)
            return writes?.shown ?? value
        } apply: { shown, memory, core in
            switch core.machine.finish(number, .data, at: memory.stamp) {
            case .again: next = .again
            case .apply(let load):
                ending = Ending(load, in: &core)
                ending.stored = store?.append(.write(copy))
                outcome = .success(shown)
                return .keep(memory.updateData(shown, at: now))
            case .discard(let load):
                ending = Ending(load, in: &core)
                outcome = memory.outcome()
                return .drop(memory.end(at: .loaded))
            case .ignore, .retry: break
            }
            return .drop(nil)
        }
        ending.task = nil
        conclude(ending, outcome)
        return next
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async where Success: Sendable {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

extension StateMemory {
    /// Returns the outcome for waiters whose answer was outdated.
    fileprivate func outcome() -> Result<Value, any Error> {
        if case .error(let error) = state { return .failure(error) }
        return lastData.map { .success($0) } ?? .failure(TidingsError.wasReset(Value.self))
    }
}
