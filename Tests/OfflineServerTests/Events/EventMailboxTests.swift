// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineServer

@Suite(.timeLimit(.minutes(5)))
struct EventMailboxTests {
    private func event(_ slot: ServerEvent.Slot, _ text: String) -> ServerEvent {
        ServerEvent(slot, name: "n", json: [UInt8](text.utf8))
    }

    private func drained(_ mailbox: inout EventMailbox) -> [String] {
        var texts: [String] = []
        while let bytes = mailbox.next() {
            let text = String(decoding: bytes, as: UTF8.self)
            texts.append(text.split(separator: "data: ").last.map { $0.trimmingLines } ?? "")
        }
        return texts
    }

    @Test func eventsOfDifferentItemsKeepTheirOrder() {
        var mailbox = EventMailbox()
        mailbox.put(event(.item("1"), "a"))
        mailbox.put(event(.item("2"), "b"))
        mailbox.put(event(.progress("1"), "c"))
        #expect(drained(&mailbox) == ["a", "b", "c"])
        #expect(mailbox.count == 0)
    }

    @Test func aSlowClientHoldsOnlyTheLatestOfEachItem() {
        var mailbox = EventMailbox()
        for step in 0..<10_000 {
            mailbox.put(event(.progress("1"), "p\(step)"))
            mailbox.put(event(.progress("2"), "q\(step)"))
            mailbox.put(.keepAlive)
        }
        #expect(mailbox.count == 3)
        #expect(drained(&mailbox).prefix(2) == ["p9999", "q9999"])
    }

    @Test func aStateMakesEarlierProgressObsolete() {
        var mailbox = EventMailbox()
        mailbox.put(event(.progress("1"), "half"))
        mailbox.put(event(.item("1"), "ready"))
        #expect(drained(&mailbox) == ["ready"])
    }

    @Test func aRemovalSilencesItsItem() {
        var mailbox = EventMailbox()
        mailbox.put(event(.item("1"), "fetching"))
        mailbox.put(event(.removed("1"), "gone"))
        mailbox.put(event(.progress("1"), "late"))
        #expect(drained(&mailbox) == ["gone"])
    }

    @Test func whatHappenedBeforeTheBeginningWasToldIsNotUndoneByIt() {
        var mailbox = EventMailbox()
        mailbox.put(event(.connectivity, "offline"))
        mailbox.put(event(.item("1"), "changed"))
        mailbox.putFirst([
            event(.hello, "hello"), event(.items, "all"), event(.connectivity, "online"),
        ])
        #expect(drained(&mailbox) == ["hello", "all", "offline", "changed"])
    }

    @Test func theWholeListReplacesWhatWasSaidAboutItems() {
        var mailbox = EventMailbox()
        mailbox.put(event(.hello, "hello"))
        mailbox.put(event(.item("1"), "old"))
        mailbox.put(event(.removed("2"), "old"))
        mailbox.put(event(.items, "list"))
        mailbox.put(event(.item("1"), "new"))
        #expect(drained(&mailbox) == ["hello", "list", "new"])
    }

    @Test func theSnapshotGoesBeforeWhatHappenedMeanwhile() {
        var mailbox = EventMailbox()
        mailbox.put(event(.item("1"), "change"))
        mailbox.putFirst([event(.hello, "hello"), event(.items, "list")])
        #expect(drained(&mailbox) == ["hello", "list", "change"])
    }

    @Test func promise13_progressAfterAStateStaysAfterIt() {
        var mailbox = EventMailbox()
        mailbox.put(event(.progress("1"), "10 %"))
        mailbox.put(event(.item("1"), "state at 11 %"))
        mailbox.put(event(.progress("1"), "12 %"))
        #expect(drained(&mailbox) == ["state at 11 %", "12 %"])
    }

    @Test func comingAndGoingDoesNotGrowTheQueue() {
        var mailbox = EventMailbox()
        for _ in 0..<10_000 {
            mailbox.put(event(.item("1"), "here"))
            mailbox.put(event(.removed("1"), "gone"))
        }
        #expect(mailbox.waitingPlaces < 64)
        #expect(drained(&mailbox) == ["gone"])
    }
}

extension Substring {
    fileprivate var trimmingLines: String { filter { $0 != "\n" } }
}
