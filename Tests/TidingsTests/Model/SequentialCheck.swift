// SPDX-License-Identifier: Apache-2.0

/// Runs a program of one thread and compares every event with the reference model.
enum SequentialCheck {
    /// Returns the difference from the reference model, or nil if there is none.
    static func run(_ program: ModelProgram) async -> String? {
        let census = Census()
        var run: ModelRun? = ModelRun(program, census: census)
        if program.isOnMain {
            await MainActor.run { [run] in run?.performAll() }
        } else {
            run?.performAll()
        }
        let events = run?.log.all.last?.map(\.event) ?? []
        var leftovers = run?.takeLeftovers()
        run = nil
        let buffers = await leftovers?.readAll() ?? [:]
        leftovers = nil
        var model = ReferenceModel(program)
        model.run()
        if let difference = model.difference(from: events) { return difference }
        if let difference = model.difference(from: buffers) { return difference }
        return census.alive == 0 ? nil : "\(census.alive) objects are still alive at the end"
    }

    /// Returns a shorter program that still fails, without the operations that are not needed.
    static func shrink(_ program: ModelProgram) async -> ModelProgram {
        var smallest = program
        var size = max(1, smallest.allOperations.count / 2)
        while size >= 1 {
            var start = 0
            while start < smallest.allOperations.count {
                let shorter = smallest.removing(start..<start + size)
                if await run(shorter) == nil { start += size } else { smallest = shorter }
            }
            size /= 2
        }
        return smallest
    }
}

extension ModelRun {
    fileprivate func performAll() {
        perform(program.setup)
        program.threads.forEach(perform)
        finish()
    }
}

extension ReferenceModel {
    /// Returns the first event that differs from the model.
    func difference(from actual: [ModelEvent]) -> String? {
        for index in 0..<max(events.count, actual.count) {
            let expected = index < events.count ? events[index] : nil
            let found = index < actual.count ? actual[index] : nil
            if accepts(found, for: expected, leeway[index] ?? 0) { continue }
            let before = actual.prefix(index).suffix(12).map { "  \($0)" }.joined(separator: "\n")
            return """
                event \(index) is \(found.map { "\($0)" } ?? "missing"), \
                the model says \(expected.map { "\($0)" } ?? "nothing more"); before it:
                \(before)
                """
        }
        return nil
    }

    /// Returns the first sequence whose content differs from the model.
    func difference(from actual: [Int: ModelBuffer]) -> String? {
        for (id, expected) in buffers.sorted(by: { $0.key < $1.key }) where actual[id] != expected {
            let found = actual[id].map { "\($0)" } ?? "nothing"
            return "sequence \(id) held \(found), the model says \(expected)"
        }
        return nil
    }

    private func accepts(
        _ actual: ModelEvent?,
        for expected: ModelEvent?,
        _ leeway: Int
    ) -> Bool {
        switch (actual, expected) {
        case (.removed(let owner, let center, let count), .removed(let same, let here, let most)):
            owner == same && center == here && count <= most && count >= most - leeway
        default: actual == expected
        }
    }
}
