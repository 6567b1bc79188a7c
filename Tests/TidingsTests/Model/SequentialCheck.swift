// SPDX-License-Identifier: Apache-2.0

/// Runs a program of one thread and compares every event with the reference model.
enum SequentialCheck {
    /// What is different from what the model says; nil if nothing is.
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
        var buffers: [Int: [Int]] = [:]
        for (id, reader) in leftovers?.readers ?? [:] { buffers[id] = await reader.readAll() }
        leftovers = nil
        var model = ReferenceModel(program)
        model.run()
        if let difference = model.difference(from: events) { return difference }
        if let difference = model.difference(from: buffers) { return difference }
        return census.alive == 0 ? nil : "\(census.alive) objects are still alive at the end"
    }

    /// A shorter program that still fails: what could be left out one by one is left out.
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
    /// The first event that is not what the model says.
    func difference(from actual: [ModelEvent]) -> String? {
        for index in 0..<max(events.count, actual.count) {
            let expected = index < events.count ? events[index] : nil
            let found = index < actual.count ? actual[index] : nil
            if accepts(found, for: expected) { continue }
            let before = actual.prefix(index).suffix(12).map { "  \($0)" }.joined(separator: "\n")
            return """
                event \(index) is \(found.map { "\($0)" } ?? "missing"), \
                the model says \(expected.map { "\($0)" } ?? "nothing more"); before it:
                \(before)
                """
        }
        return nil
    }

    /// The first sequence whose content is not what the model says.
    func difference(from actual: [Int: [Int]]) -> String? {
        for (id, expected) in buffers.sorted(by: { $0.key < $1.key }) where actual[id] != expected {
            return "sequence \(id) held \(actual[id] ?? []), the model says \(expected)"
        }
        return nil
    }

    private func accepts(_ actual: ModelEvent?, for expected: ModelEvent?) -> Bool {
        guard case .posted(let number, let found) = actual,
            case .posted(number, let most) = expected
        else { return actual == expected }
        return found <= most && found >= most - leeway[number, default: 0]
    }
}
