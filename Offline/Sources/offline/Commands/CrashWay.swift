// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A way to crash intentionally, for a test of the crash reports.
enum CrashWay: String, CaseIterable, Sendable {
    case fatalError = "fatal-error"
    case badPointer = "bad-pointer"
    case abort
    case `nil`
    case range
    case overflow
    case stack

    /// Crashes the process.
    func crash() -> Never {
        switch self {
        case .fatalError: Self.triggerFatalError()
        case .badPointer: Self.write(to: 0x10)
        case .abort: Foundation.abort()
        case .nil: Self.unwrap(Self.nothing())
        case .range: Self.read(at: 7, of: [1, 2, 3])
        case .overflow: Self.add(.max)
        case .stack: Self.overflowStack(1)
        }
    }

    // Each way has a function, so that the report names the way.

    @inline(never)
    private static func triggerFatalError() -> Never {
        Swift.fatalError("This crash is intentional: it tests the crash reports")
    }

    @inline(never)
    private static func write(to address: UInt) -> Never {
        UnsafeMutablePointer<Int>(bitPattern: address)?.pointee = 1
        return unreachable()
    }

    @inline(never)
    private static func unwrap(_ number: Int?) -> Never {
        // The crash is intentional.
        // swift-format-ignore: NeverForceUnwrap
        use(number!)
        return unreachable()
    }

    @inline(never)
    private static func nothing() -> Int? {
        CommandLine.arguments.isEmpty ? 1 : Optional<Int>.none
    }

    @inline(never)
    private static func read(at index: Int, of numbers: [Int]) -> Never {
        use(numbers[index])
        return unreachable()
    }

    @inline(never)
    private static func add(_ number: Int) -> Never {
        use(number + CommandLine.arguments.count)
        return unreachable()
    }

    @inline(never)
    private static func overflowStack(_ depth: Int) -> Never {
        use(recurse(depth))
        return unreachable()
    }

    @inline(never)
    private static func recurse(_ depth: Int) -> Int {
        // The addition prevents a tail call, which the optimizer would turn into a loop.
        depth < 0 ? 0 : recurse(depth &+ 1) &+ CommandLine.arguments.count
    }

    @inline(never)
    private static func use(_ number: Int) {
        if number == .min { Terminal.note("") }
    }

    private static func unreachable() -> Never {
        Swift.fatalError("The intentional crash did not happen")
    }
}
