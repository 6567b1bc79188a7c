// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension Resource {
    /// Shows a change immediately, makes the change at the source, and rolls a failed change back.
    ///
    /// Several writes may be pending at the same time. Each write is confirmed or rolled back
    /// separately, and all remaining writes stay. The resource drops an answer that was requested
    /// before the write. The resource repeats a load that is running when the source confirms,
    /// because that load may or may not include the change. If a load was applied while the write
    /// was pending, the data becomes stale for the same reason. After a failure the data also
    /// becomes stale, because the source may have made the change nevertheless. After a
    /// ``reset()``, an earlier write is not shown.
    ///
    /// ```swift
    /// try await lessons.write { $0.removeAll { $0.id == id } } commit: {
    ///     try await catalog.remove(id)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - change: Changes the data without using this resource. The closure is called again
    ///     whenever the data below the change is replaced, without a lock, on any thread.
    ///   - commit: Makes the change at the source. The closure is called even without data to
    ///     change.
    /// - Returns: The result of `commit`.
    /// - Throws: The error of `commit`, after which the change is rolled back.
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

    /// One write, from the shown change to the confirmation or rollback.
    private struct Begun {
        let number: Int
        /// The number of resets before the write, because a later reset drops the write.
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
        entry?.workBegan()
        return write
    }

    /// Confirms a write.
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
            // The data keeps the same age, and invalid data must not count as fresh at the next
            // start.
            let age = isDoubtful ? nil : memory.age(at: now)
            let loadedAt = age.map { wallTime - $0 }
            if let base { stored = store?.append(.write(StoredCopy(base, loadedAt: loadedAt))) }
            return .keep(nil)
        }
        stored?.begin()
        entry?.workEnded()
        if !isKnown || isDoubtful { doubt(write) }
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
        entry?.workEnded()
        doubt(write)
    }

    /// Marks the data as stale because the source may have other data, unless a reset dropped the
    /// write.
    private func doubt(_ write: Begun) {
        if publisher.withMemory({ $0.resets == write.resets }) { invalidate() }
    }
}
