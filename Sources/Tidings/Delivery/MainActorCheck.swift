// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Checks whether the calling thread is on the main actor now.
///
/// Neither the thread nor the task shows this: in a program with an asynchronous `main` the main
/// actor moves between threads, and a task has no isolation to check while it runs a synchronous
/// function. The main queue, which is the main actor's executor, does show it.
enum MainActorCheck {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isOnMainActor: Bool {
        DispatchQueue.getSpecific(key: key) == true
    }
}
