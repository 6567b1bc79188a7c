// SPDX-License-Identifier: Apache-2.0
import Tidings

private protocol DownloadObserver: AnyObject, Sendable {
    func downloadCompleted(_ name: String)
}

/// Another part of the program with a protocol of the same name.
private enum Uploads {
    protocol DownloadObserver: AnyObject, Sendable {
        func downloadServed()
    }
}

private final class Observer: DownloadObserver, Uploads.DownloadObserver {
    let completed = Counter()
    let served = Counter()

    func downloadCompleted(_ name: String) { completed.add() }
    func downloadServed() { served.add() }
}

/// Step 3: weakly referenced observers with a protocol as the key.
///
/// This step replaces `[String(describing: type): [WeakBox]]`. Two protocols with one name are two
/// keys. An object that is registered twice is called once. A new object at the address of a
/// released object is a new observer.
struct WeakObservers {
    private let center = MessageCenter()
    private let permanent = Observer()
    private let mistaken = Counter()

    func run() throws {
        print("3. Weak observers, keyed by protocol")
        for _ in 0..<2 { try center.register((any DownloadObserver).self, observer: permanent) }
        onEightThreads { _ in
            for _ in 0..<500 { registerBriefly() }
        }
        print("the permanent observer received", permanent.completed.count)
        print("new observers mistaken for released ones:", mistaken.count)
        notifyOnce("observers alive:")
        let other = center.notify((any Uploads.DownloadObserver).self) { $0.downloadServed() }
        print("observers of the other protocol of that name:", other)
        center.unregister((any DownloadObserver).self, observer: permanent)
        notifyOnce("after unregister:")
        withExtendedLifetime(permanent) {}
    }

    /// Registers an object that is released without unregistering.
    private func registerBriefly() {
        let temporary = Observer()
        if center.isRegistered((any DownloadObserver).self, observer: temporary) { mistaken.add() }
        try? center.register((any DownloadObserver).self, observer: temporary)
        center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
    }

    private func notifyOnce(_ text: String) {
        let count = center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
        print(text, count)
    }
}
