// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct EventQueueTests {
    private func event(_ kind: EventKind, about number: Int64 = 0, _ text: String) -> ServerEvent {
        ServerEvent(kind, number: number, json: [UInt8](text.utf8))
    }

    private func drained(_ queue: inout EventQueue) -> [String] {
        var texts: [String] = []
        while let bytes = queue.dequeue() {
            let text = String(decoding: bytes, as: UTF8.self)
            texts.append(text.split(separator: "data: ").last.map { $0.trimmingLines } ?? "")
        }
        return texts
    }

    @Test func eventsOfDifferentItemsKeepTheirOrder() {
        var queue = EventQueue()
        queue.enqueue(event(.item, about: 1, "a"))
        queue.enqueue(event(.item, about: 2, "b"))
        queue.enqueue(event(.progress, about: 1, "c"))
        #expect(drained(&queue) == ["a", "b", "c"])
        #expect(queue.count == 0)
    }

    @Test func aSlowClientHoldsOnlyTheLatestEventOfEachSlot() {
        var queue = EventQueue()
        for step in 0..<10_000 {
            queue.enqueue(event(.progress, about: 1, "p\(step)"))
            queue.enqueue(event(.progress, about: 2, "q\(step)"))
            queue.enqueue(.keepAlive)
        }
        #expect(queue.count == 3)
        #expect(drained(&queue).prefix(2) == ["p9999", "q9999"])
    }

    @Test func aStateMakesEarlierProgressObsolete() {
        var queue = EventQueue()
        queue.enqueue(event(.progress, about: 1, "half"))
        queue.enqueue(event(.item, about: 1, "ready"))
        #expect(drained(&queue) == ["ready"])
    }

    @Test func anItemSupersedesEarlierPlaybackButNotLaterOne() {
        var queue = EventQueue()
        queue.enqueue(event(.playback, about: 1, "40 s"))
        queue.enqueue(event(.item, about: 1, "item at 41 s"))
        queue.enqueue(event(.playback, about: 1, "42 s"))
        #expect(drained(&queue) == ["item at 41 s", "42 s"])
        queue.enqueue(event(.playback, about: 1, "43 s"))
        queue.enqueue(event(.removed, about: 1, "gone"))
        queue.enqueue(event(.playback, about: 1, "late"))
        #expect(drained(&queue) == ["gone"])
    }

    @Test func aRemovalSupersedesTheEventsOfItsItem() {
        var queue = EventQueue()
        queue.enqueue(event(.item, about: 1, "fetching"))
        queue.enqueue(event(.removed, about: 1, "gone"))
        queue.enqueue(event(.progress, about: 1, "late"))
        #expect(drained(&queue) == ["gone"])
    }

    @Test func theSnapshotDoesNotReplaceNewerEvents() {
        var queue = EventQueue()
        queue.enqueue(event(.connectivity, "offline"))
        queue.enqueue(event(.item, about: 1, "changed"))
        queue.prepend([
            event(.hello, "hello"), event(.items, "all"), event(.connectivity, "online"),
        ])
        #expect(drained(&queue) == ["hello", "all", "offline", "changed"])
    }

    @Test func theWholeListSupersedesTheEventsOfItems() {
        var queue = EventQueue()
        queue.enqueue(event(.hello, "hello"))
        queue.enqueue(event(.item, about: 1, "old"))
        queue.enqueue(event(.removed, about: 2, "old"))
        queue.enqueue(event(.items, "list"))
        queue.enqueue(event(.item, about: 1, "new"))
        #expect(drained(&queue) == ["hello", "list", "new"])
    }

    @Test func theSnapshotPrecedesLaterEvents() {
        var queue = EventQueue()
        queue.enqueue(event(.item, about: 1, "change"))
        queue.prepend([event(.hello, "hello"), event(.items, "list")])
        #expect(drained(&queue) == ["hello", "list", "change"])
    }

    @Test func o13_progressAfterAStateStaysAfterIt() {
        var queue = EventQueue()
        queue.enqueue(event(.progress, about: 1, "10 %"))
        queue.enqueue(event(.item, about: 1, "state at 11 %"))
        queue.enqueue(event(.progress, about: 1, "12 %"))
        #expect(drained(&queue) == ["state at 11 %", "12 %"])
    }

    @Test func supersededEventsDoNotGrowTheQueue() {
        var queue = EventQueue()
        for _ in 0..<10_000 {
            queue.enqueue(event(.item, about: 1, "here"))
            queue.enqueue(event(.removed, about: 1, "gone"))
        }
        #expect(queue.queueLength < 64)
        #expect(drained(&queue) == ["gone"])
    }
}

extension Substring {
    fileprivate var trimmingLines: String { filter { $0 != "\n" } }
}
