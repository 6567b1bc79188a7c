// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineLibrary
import OfflineModel
import OfflineStore
import Tidings

/// Keeps the addresses that other machines hand to this machine.
struct AddressTaker: Sendable {
    /// The reason why this machine takes no more addresses.
    ///
    /// The group then asks another machine.
    enum Refusal: Error {
        /// Too many items are waiting.
        case busy
        /// The disk is full.
        case noSpace
    }

    /// The number of waiting items at which this machine takes no more addresses, because a
    /// stranger could send any number of addresses.
    static let capacity = 1_000

    /// An event of an item.
    private enum Event: Sendable {
        /// The first byte arrived, or the download ended.
        case settled(ItemID)
        /// The disk has no space, so that nothing can be downloaded.
        case noSpace
    }

    private let library: Library

    init(_ library: Library) { self.library = library }

    /// Queues an address that only this machine keeps.
    ///
    /// - Throws: `Refusal.busy` or `LibraryError`.
    func keep(_ address: HandedAddress) async throws {
        try requireRoom()
        _ = try await library.enqueue(try address.request())
    }

    /// Queues an address that another machine keeps if this machine fails.
    ///
    /// The method returns when the first byte is kept, or when the address needs no download.
    ///
    /// - Throws: `Refusal` or `LibraryError`.
    func take(_ address: HandedAddress) async throws {
        try requireRoom()
        guard hasSpace else { throw Refusal.noSpace }
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        // The observation starts before the item exists, so that no event is missed.
        let tokens = observe { continuation.yield($0) }
        defer { withExtendedLifetime(tokens) {} }
        guard case .created(let item) = try await library.enqueue(try address.request()) else {
            return
        }
        let journal = library.journal
        try journal.preferences.setPreference(TakenItem(item.id), for: .takenItem)
        for await event in events {
            switch event {
            case .settled(item.id):
                try journal.preferences.setPreference(TakenItem.none, for: .takenItem)
                return
            case .noSpace:
                try await giveBack()
                throw Refusal.noSpace
            case .settled: continue
            }
        }
        // The observation has ended, and the address is not kept yet.
        throw CancellationError()
    }

    /// Removes the taken item, unless a part of the media is here.
    ///
    /// At the next start, the item belongs to the machine that took the address after this machine.
    ///
    /// - Throws: `LibraryError`.
    func giveBack() async throws {
        let journal = library.journal
        guard let id = try journal.preferences.preference(.takenItem).id else { return }
        if let item = try journal.items.item(id), item.state != .ready, !library.hasData(of: id) {
            try await library.remove(id, withFile: true)
        }
        try journal.preferences.setPreference(TakenItem.none, for: .takenItem)
    }

    private func requireRoom() throws {
        let waiting = library.journal.counts.lastData?.waiting ?? 0
        guard waiting < Self.capacity else { throw Refusal.busy }
    }

    /// Whether downloads can continue.
    ///
    /// On a full disk, an item would wait behind other items.
    var hasSpace: Bool { (try? library.journal.items.itemsWaitingForSpace().isEmpty) ?? false }

    private func observe(_ send: @escaping @Sendable (Event) -> Void) -> [ObservationToken] {
        let messages = library.messages
        return [
            messages.observe(DownloadProgressed.self) {
                if $0.progress.receivedBytes > 0 { send(.settled($0.id)) }
            },
            messages.observe(ItemRemoved.self) { send(.settled($0.id)) },
            messages.observe(DownloadPaused.self) { _ in send(.noSpace) },
            messages.observe(ItemChanged.self) {
                // A pause by the user has no failure, but a pause for a full disk has one.
                let isPaused = $0.item.state == .paused && $0.item.failure == nil
                if isPaused || [.ready, .failed].contains($0.item.state) {
                    send(.settled($0.item.id))
                }
            },
        ]
    }
}
