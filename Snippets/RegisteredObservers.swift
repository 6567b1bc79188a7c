// SPDX-License-Identifier: Apache-2.0
// Objects registered with a center under a protocol: referenced weakly, notified with a closure.
import Tidings

protocol DownloadObserver: AnyObject, Sendable {
    func downloadCompleted(_ name: String)
}

final class DownloadsScreen: DownloadObserver {
    func downloadCompleted(_ name: String) { print("completed:", name) }
}

let center = MessageCenter()
let screen = DownloadsScreen()
try center.register((any DownloadObserver).self, observer: screen)
let told = center.notify((any DownloadObserver).self) { $0.downloadCompleted("film.mp4") }
print("told", told)
