// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Resource {
    /// Shows a change at once, makes it at the source, and takes it back if that fails.
    ///
    /// Several writes may wait at the same time: each is confirmed or taken back by itself, and the
    /// others stay. An answer that was asked for before the write is dropped; a load that runs when
    /// the source has confirmed is repeated, since nobody knows whether it saw the change. If one
    /// was
    /// applied while the write waited, the data is stale for that reason. After a failure it is
    /// stale
    /// too, for the source may have made the change all the same. After a ``reset()`` nothing is
    /// shown of a write that began before it.
    ///
    /// ```swift
    /// try await lessons.write { $0.removeAll { $0.id == id } } commit: {
    ///     try await catalog.remove(id)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - change: Changes the data and nothing of this resource. Called again whenever the data
    ///     under it is another, without a lock, on any thread.
    ///   - commit: Makes the change at the source. It is called even if there is no data to change.
    /// - Returns: What `commit` returns.
    /// - Throws: What `commit` throws; then the change was taken back.
    @discardableResult
    public func write<Answer>(
        _ change: @escaping @Sendable (inout Value) -> Void,
        commit: () async throws -> Answer
    ) async throws -> Answer {
        let write = show(change)
        do {
            let answer = try await commit()
            confirm(write)
            return answer
        } catch {
            takeBack(write)
            throw error
        }
    }

    /// The same for a source that answers with the data as it has them afterwards.
    ///
    /// ```swift
    /// try await lessons.write { $0.append(lesson) } replacedBy: {
    ///     try await catalog.add(lesson)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - change: Changes the data and nothing of this resource. Called again whenever the data
    ///     under it is another, without a lock, on any thread.
    ///   - commit: Makes the change at the source and returns the data that it has then.
    /// - Returns: What is shown then: the answer, with the writes that still wait. Only the answer,
    ///   if the data was reset or written past the resource meanwhile.
    /// - Throws: What `commit` throws; then the change was taken back.
    @discardableResult
    public func write(
        _ change: @escaping @Sendable (inout Value) -> Void,
        replacedBy commit: () async throws -> Value
    ) async throws -> Value {
        let write = show(change)
        do {
            return take(try await commit(), for: write)
        } catch {
            takeBack(write)
            throw error
        }
    }

    /// One write, from the change that is shown to what becomes of it.
    private struct Begun {
        let number: Int
        /// How often everything had been dropped: after another time this write is forgotten.
        let resets: Int
    }

    private func show(_ change: @escaping @Sendable (inout Value) -> Void) -> Begun {
        let number = core.withLock { core in
            core.lastWrite += 1
            return core.lastWrite
        }
        let write = Begun(number: number, resets: publisher.withMemory { $0.resets })
        revise { writes, data in
            guard let data else { return nil }
            var list = writes ?? OptimisticWrites(base: data)
            list.add(number, change)
            writes = list
            return list.shown
        } apply: { shown, memory, _ in
            .keep(memory.edit(shown, ifAt: memory.version))
        }
        return write
    }

    /// The source has made a change.
    private func confirm(_ write: Begun) {
        let (now, wallTime) = (publisher.now(), wallTime())
        var (base, stored): (Value?, StoreQueue<Value>.Pending?)
        var isDoubtful = false
        let isKnown = revise { writes, _ in
            guard var list = writes, list.contains(write.number) else { return nil }
            isDoubtful = list.isDoubtful(write.number)
            list.confirm(write.number)
            writes = list
            base = list.base
            return list.shown
        } apply: { _, memory, core in
            core.machine.outdate()
            // The data keeps its age, and what is invalid now is not fresh at the next start.
            let age = isDoubtful ? nil : memory.age(at: now)
            let loadedAt = age.map { wallTime - $0 }
            if let base { stored = store?.append(.write(StoredCopy(base, loadedAt: loadedAt))) }
            return .keep(nil)
        }
        stored?.begin()
        if !isKnown || isDoubtful { doubt(write) }
    }

    /// The source has made a change and says what it has.
    private func take(_ answer: Value, for write: Begun) -> Value {
        let (now, wallTime) = (publisher.now(), wallTime())
        var result = answer
        var stored: StoreQueue<Value>.Pending?
        var (isListed, isDoubtful) = (false, false)
        let isKnown = revise { writes, data in
            isListed = false
            guard var list = writes, list.contains(write.number) else {
                // There was nothing to change. Written past the resource meanwhile, or loaded: that
                // may be newer than this answer.
                return data == nil ? answer : nil
            }
            isListed = true
            isDoubtful = list.isDoubtfulIfAnswered(write.number)
            list.confirm(write.number, answered: answer)
            writes = list
            return list.shown
        } apply: { shown, memory, core in
            guard isListed || memory.resets == write.resets else { return .drop(nil) }
            result = shown
            core.machine.outdate()
            let loadedAt = isDoubtful ? nil : wallTime
            stored = store?.append(.write(StoredCopy(answer, loadedAt: loadedAt)))
            return .keep(memory.updateData(shown, at: now))
        }
        stored?.begin()
        if !isKnown || isDoubtful { doubt(write) }
        return result
    }

    private func takeBack(_ write: Begun) {
        revise { writes, _ in
            guard var list = writes, list.contains(write.number) else { return nil }
            list.remove(write.number)
            writes = list
            return list.shown
        } apply: { shown, memory, _ in
            .keep(memory.edit(shown, ifAt: memory.version))
        }
        doubt(write)
    }

    /// Says that the source may have other data than what is shown, unless that was dropped since.
    private func doubt(_ write: Begun) {
        if publisher.withMemory({ $0.resets == write.resets }) { invalidate() }
    }
}
