// SPDX-License-Identifier: Apache-2.0
// Several delegates in place of one.
import Tidings

protocol PlayerObserver: AnyObject, Sendable {
    func playbackEnded(of title: String)
}

final class Queue: PlayerObserver {
    func playbackEnded(of title: String) { print("next after \(title)") }
}

let observers = Delegates<any PlayerObserver>()
let queue = Queue()
try observers.add(queue)
observers.notify { $0.playbackEnded(of: "Metropolis") }
