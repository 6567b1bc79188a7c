// SPDX-License-Identifier: Apache-2.0
import Tidings

private protocol DownloadObserver: AnyObject, Sendable {
    func downloadCompleted(_ name: String)
}

/// Another part of the program has a protocol of the same name.
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

/// Step 3: observers held weakly, with a protocol as the key.
///
/// Instead of `[String(describing: type): [WeakBox]]`. Two protocols of one name are two keys, one
/// object registered twice is called once, and a new object at the address of a dead one is new.
struct WeakObservers {
    private let center = MessageCenter()
    private let stays = Observer()
    private let mistaken = Counter()

    func run() throws {
        print("3. Weak observers, keyed by protocol")
        for _ in 0..<2 { try center.register((any DownloadObserver).self, observer: stays) }
        onEightThreads { _ in
            for _ in 0..<500 { comeAndGo() }
        }
        print("the one that stays heard", stays.completed.count)
        print("new observers mistaken for dead ones:", mistaken.count)
        notifyOnce("observers alive:")
        let other = center.notify((any Uploads.DownloadObserver).self) { $0.downloadServed() }
        print("observers of the other protocol of that name:", other)
        center.unregister((any DownloadObserver).self, observer: stays)
        notifyOnce("after unregister:")
        withExtendedLifetime(stays) {}
    }

    /// Registers an object that dies without a word.
    private func comeAndGo() {
        let guest = Observer()
        if center.isRegistered((any DownloadObserver).self, observer: guest) { mistaken.add() }
        try? center.register((any DownloadObserver).self, observer: guest)
        center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
    }

    private func notifyOnce(_ text: String) {
        let count = center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
        print(text, count)
    }
}
