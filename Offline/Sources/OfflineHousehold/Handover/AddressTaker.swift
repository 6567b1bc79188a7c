// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Tidings

/// Keeps the addresses that other machines hand to this one.
struct AddressTaker: Sendable {
    /// Why this machine takes an address no longer; the group then gives it to another one.
    enum Refusal: Error {
        /// Too many items wait here.
        case busy
        /// The disk is full.
        case noSpace
    }

    /// The number of waiting items from which on this machine takes no address, as a stranger could
    /// send any number.
    static let capacity = 1_000

    /// What happened to an item.
    private enum Event: Sendable {
        /// Its first byte arrived, or it came to an end.
        case settled(ItemID)
        /// The disk has no space, so that nothing is downloaded.
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

    /// Queues an address that another machine keeps if this one fails, and returns when its first
    /// byte is kept, or when it needs none.
    ///
    /// - Throws: `Refusal` or `LibraryError`.
    func take(_ address: HandedAddress) async throws {
        try requireRoom()
        guard hasSpace else { throw Refusal.noSpace }
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        // Observed before the item exists, so that no event is missed.
        let tokens = observe { continuation.yield($0) }
        defer { withExtendedLifetime(tokens) {} }
        guard case .created(let item) = try await library.enqueue(try address.request()) else {
            return
        }
        let registry = library.journal.registry
        try registry.setPreference(TakenItem(item.id), for: .takenItem)
        for await event in events {
            switch event {
            case .settled(item.id):
                try registry.setPreference(TakenItem.none, for: .takenItem)
                return
            case .noSpace:
                try await giveBack()
                throw Refusal.noSpace
            default: continue
            }
        }
        // The observation has ended: the address is not kept yet.
        throw CancellationError()
    }

    /// Removes the item that was taken, unless a part of it is here.
    ///
    /// At the next start it belongs to the machine that took the address after this one.
    ///
    /// - Throws: `LibraryError`.
    func giveBack() async throws {
        let registry = library.journal.registry
        guard let id = try registry.preference(.takenItem).id else { return }
        if let item = try registry.item(id), item.state != .ready, !library.hasData(of: id) {
            try await library.remove(id, withFile: true)
        }
        try registry.setPreference(TakenItem.none, for: .takenItem)
    }

    private func requireRoom() throws {
        let waiting = library.journal.counts.lastData?.waiting ?? 0
        guard waiting < Self.capacity else { throw Refusal.busy }
    }

    /// Whether downloads can go on; on a full disk, an item would wait here behind others.
    var hasSpace: Bool { (try? library.journal.registry.itemsWaitingForSpace().isEmpty) ?? false }

    private func observe(_ send: @escaping @Sendable (Event) -> Void) -> [ObservationToken] {
        let messages = library.messages
        return [
            messages.observe(DownloadProgressed.self) {
                if $0.progress.receivedBytes > 0 { send(.settled($0.id)) }
            },
            messages.observe(ItemRemoved.self) { send(.settled($0.id)) },
            messages.observe(DownloadPaused.self) { _ in send(.noSpace) },
            messages.observe(ItemChanged.self) {
                // A person's pause has no failure; that of a full disk has one.
                let isPaused = $0.item.state == .paused && $0.item.failure == nil
                if isPaused || [.ready, .failed].contains($0.item.state) {
                    send(.settled($0.item.id))
                }
            },
        ]
    }
}
