// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Shows a change at once, makes it at the source, and takes it back if that fails.
    ///
    /// Several writes may wait at the same time: each is confirmed or taken back by itself, and the
    /// others stay. An answer that was asked for before the write is dropped; a load that runs when
    /// the source has confirmed is repeated, since nobody knows whether it saw the change. After a
    /// failure the data is stale, for the source may have made the change all the same.
    ///
    /// ```swift
    /// try await lessons.write { $0.removeAll { $0.id == id } } commit: {
    ///     try await catalogue.remove(id)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - change: Changes the data. Called again whenever the data under it is another, without a
    ///     lock, on any thread.
    ///   - commit: Makes the change at the source. It is called even if there is no data to change.
    /// - Returns: What `commit` returns.
    /// - Throws: What `commit` throws; then the change was taken back.
    @discardableResult
    public func write<Answer>(
        _ change: @escaping @Sendable (inout Value) -> Void,
        commit: () async throws -> Answer
    ) async throws -> Answer {
        let number = show(change)
        do {
            let answer = try await commit()
            confirm(number)
            return answer
        } catch {
            takeBack(number)
            throw error
        }
    }

    /// The same for a source that answers with the data as it has them afterwards.
    ///
    /// ```swift
    /// try await lessons.write { $0.append(lesson) } replacedBy: {
    ///     try await catalogue.add(lesson)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - change: Changes the data. Called again whenever the data under it is another, without a
    ///     lock, on any thread.
    ///   - commit: Makes the change at the source and returns the data that it has then.
    /// - Returns: What is shown then: the answer, with the writes that still wait.
    /// - Throws: What `commit` throws; then the change was taken back.
    @discardableResult
    public func write(
        _ change: @escaping @Sendable (inout Value) -> Void,
        replacedBy commit: () async throws -> Value
    ) async throws -> Value {
        let number = show(change)
        do {
            return take(try await commit(), for: number)
        } catch {
            takeBack(number)
            throw error
        }
    }

    private func show(_ change: @escaping @Sendable (inout Value) -> Void) -> Int {
        let number = core.withLock { core in
            core.lastWrite += 1
            return core.lastWrite
        }
        revise { writes, data in
            guard let data else { return nil }
            var list = writes ?? OptimisticWrites(base: data)
            list.add(number, change)
            writes = list
            return list.shown
        } apply: { shown, memory, _ in
            .keep(memory.edit(shown, ifAt: memory.version))
        }
        return number
    }

    /// The source has made a change.
    private func confirm(_ number: Int) {
        var (base, stored): (Value?, StoreLine<Value>.Pending?)
        let isKnown = revise { writes, _ in
            guard var list = writes else { return nil }
            list.confirm(number)
            writes = list
            base = list.base
            return list.shown
        } apply: { _, _, core in
            core.machine.outdate()
            if let base { stored = store?.append(.write(base)) }
            return .keep(nil)
        }
        stored?.begin()
        if !isKnown { invalidate() }
    }

    /// The source has made a change and says what it has.
    private func take(_ answer: Value, for number: Int) -> Value {
        let now = publisher.now()
        var result = answer
        var stored: StoreLine<Value>.Pending?
        let isKnown = revise { writes, data in
            guard var list = writes ?? data.map({ OptimisticWrites(base: $0) }) else {
                return answer
            }
            // Written past the resource meanwhile: that is newer than this answer.
            guard writes != nil else { return nil }
            list.confirm(number, answered: answer)
            writes = list
            return list.shown
        } apply: { shown, memory, core in
            result = shown
            core.machine.outdate()
            stored = store?.append(.write(answer))
            return .keep(memory.updateData(shown, at: now))
        }
        stored?.begin()
        if !isKnown { invalidate() }
        return result
    }

    private func takeBack(_ number: Int) {
        revise { writes, _ in
            guard var list = writes else { return nil }
            list.remove(number)
            writes = list
            return list.shown
        } apply: { shown, memory, _ in
            .keep(memory.edit(shown, ifAt: memory.version))
        }
        invalidate()
    }
}
