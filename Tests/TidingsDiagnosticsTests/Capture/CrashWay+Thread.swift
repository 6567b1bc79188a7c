// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

@testable import TidingsDiagnostics

extension Report {
    /// Whether a frame has a function with this prefix.
    func has(_ function: String) -> Bool {
        frames.contains { $0.function?.hasPrefix(function) == true }
    }

    /// Whether a frame has a function whose name contains this part.
    func has(part: String) -> Bool {
        frames.contains { $0.function?.contains(part) == true }
    }
}

/// Recurses and uses the frame after the call, so that the compiler keeps the recursion.
@inline(never)
@_optimize(none)
func overflow(_ depth: Int) -> Int {
    if depth == 0 { return 0 }
    let rest = overflow(depth &+ 1)
    return rest &+ depth
}

func crash(_ way: CrashWay, on thread: CrashWay.ThreadKind) async {
    switch thread {
    case .main: MainThread.run { _ = callCrash(way) }
    case .thread: Thread.detachNewThread { _ = callCrash(way) }
    case .dispatch: DispatchQueue(label: "crash").async { _ = callCrash(way) }
    case .task: _ = await Task.detached { callCrash(way) }.value
    }
    await waitForEnd()
}

/// Never returns, because the process ends during the wait.
func waitForEnd() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
