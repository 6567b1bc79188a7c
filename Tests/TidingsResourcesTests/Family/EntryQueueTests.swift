// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import TidingsResources

@Suite(.timeLimit(.minutes(15)))
struct EntryQueueTests {
    private final class Entry: Sendable {}

    @Test func theFirstIsTheOneThatWasAppendedFirst() {
        let entries = (0..<3).map { _ in Entry() }
        var queue = EntryQueue<Entry>()
        for entry in entries { queue.append(entry) }
        queue.append(entries[0])
        #expect(queue.count == 3 && queue.first === entries[1])
        queue.remove(entries[1])
        queue.remove(entries[1])
        #expect(queue.count == 2 && queue.first === entries[2])
    }

    @Test func theQueueAgreesWithAnArray() {
        var generator = SeededGenerator(39)
        let entries = (0..<8).map { _ in Entry() }
        var queue = EntryQueue<Entry>()
        var model: [Int] = []
        for _ in 0..<2_000 {
            let index = Int.random(in: 0..<8, using: &generator)
            model.removeAll { $0 == index }
            if Bool.random(using: &generator) {
                model.append(index)
                queue.append(entries[index])
            } else {
                queue.remove(entries[index])
            }
            #expect(queue.count == model.count)
            #expect(queue.first === model.first.map { entries[$0] })
            #expect(
                entries.indices.allSatisfy { queue.contains(entries[$0]) == model.contains($0) }
            )
        }
        // The order of the rest is that of the array.
        for index in model {
            #expect(queue.first === entries[index])
            queue.remove(entries[index])
        }
        #expect(queue.first == nil)
    }
}
