// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A way in which a program can crash.
enum CrashWay: String, Codable, CaseIterable, Sendable {
    case fatalError, precondition, nilUnwrap, failedTry, outOfRange, arithmetic, badPointer
    case abort, raise, kill, comparison

    /// The kind of thread on which the program crashes.
    enum ThreadKind: String, Codable, CaseIterable, Sendable {
        case main, thread, dispatch, task
    }

    /// The signal that ends the process.
    var signal: Int32 {
        switch self {
        case .fatalError, .precondition, .nilUnwrap, .failedTry, .outOfRange, .arithmetic:
            #if arch(x86_64)
            SIGILL
            #else
            SIGTRAP
            #endif
        // The signal is not SIGABRT, which dispatch threads block unless `abort` raises it.
        case .badPointer, .kill, .raise, .comparison: SIGSEGV
        case .abort: SIGABRT
        }
    }

    /// The range of lines in which the crash happens.
    var lines: Range<Int> { crashLine..<crashLine + 33 }
}

private func failing() throws -> Int { throw CancellationError() }

/// Crashes on behalf of a caller that a report must also contain.
@inline(never)
@_optimize(none)
func callCrash(_ way: CrashWay) -> Int {
    let result = crashOnPurpose(way, 1)
    return result &+ 1
}

private let crashLine = #line
/// Crashes in a function that is never inlined, because a report must contain the name.
@inline(never)
@_optimize(none)
func crashOnPurpose(_ way: CrashWay, _ one: Int) -> Int {
    switch way {
    case .fatalError: fatalError("The text of the error.")
    case .precondition:
        precondition(one == 2, "The text of the precondition.")
        return one
    case .failedTry:
        // swift-format-ignore: NeverUseForceTry
        return try! failing()
    case .nilUnwrap:
        let nothing = one == 1 ? nil : Optional(one)
        // swift-format-ignore: NeverForceUnwrap
        return nothing!
    case .outOfRange: return [one][one]
    case .arithmetic: return Int.max - 1 + one + one
    case .badPointer: return UnsafePointer<Int>(bitPattern: one * 16)?.pointee ?? 0
    case .abort: abort()
    case .raise: return Int(raise(SIGSEGV))
    case .kill: return Int(kill(getpid(), SIGSEGV))
    // The C library calls the function, and keeps no frame pointers.
    case .comparison:
        var numbers = [one, one, one, one]
        qsort(&numbers, 4, MemoryLayout<Int>.stride) { first, _ in
            let number = first?.load(as: Int.self) ?? 1
            return Int32(UnsafePointer<Int>(bitPattern: number * 16)?.pointee ?? 0)
        }
        return numbers[0]
    }
}
