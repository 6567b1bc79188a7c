// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

@testable import TidingsDiagnostics

extension Report {
    /// Whether a function stands in the frames whose name begins so.
    func has(_ function: String) -> Bool {
        frames.contains { $0.function?.hasPrefix(function) == true }
    }
}

/// Has a frame that is used after the call, so that it is none that the compiler can leave out.
@inline(never)
@_optimize(none)
func overflow(_ depth: Int) -> Int {
    if depth == 0 { return 0 }
    let rest = overflow(depth &+ 1)
    return rest &+ depth
}

func crash(_ way: CrashWay, on place: CrashWay.Place) async {
    switch place {
    case .main: MainThread.run { _ = callCrash(way) }
    case .thread: Thread.detachNewThread { _ = callCrash(way) }
    case .dispatch: DispatchQueue(label: "crash").async { _ = callCrash(way) }
    case .task: _ = await Task.detached { callCrash(way) }.value
    }
    await theEnd()
}

/// Never returns: the process ends meanwhile.
func theEnd() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
