// SPDX-License-Identifier: Apache-2.0
// A list of weakly referenced delegates, owned by a class or by a center.
import Tidings

protocol DownloadObserver: AnyObject, Sendable {
    func downloadCompleted(_ name: String)
    func downloadProgress(_ name: String, fraction: Double)
}

@MainActor protocol DownloadScreen: AnyObject, Sendable {
    func downloadCompleted(_ name: String)
}

final class Repository: Sendable {
    let observers = Delegates<any DownloadObserver>()
    let screens = Delegates<any DownloadScreen>()

    func finish(_ name: String) {
        observers.notify { $0.downloadCompleted(name) }
        screens.notify(on: .main) { $0.downloadCompleted(name) }
    }
}

final class Player: DownloadObserver {
    func downloadCompleted(_ name: String) { print("\(name) can be played") }
    func downloadProgress(_ name: String, fraction: Double) {}
}

let center = MessageCenter()
let repository = Repository()
let player = Player()
try repository.observers.add(player)
repository.finish("film.mp4")
repository.observers.remove(player)

try center.register((any DownloadObserver).self, observer: player)
center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
