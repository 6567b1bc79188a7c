// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A way to crash on purpose, as programs crash by mistake.
enum CrashWay: String, CaseIterable, Sendable {
    case fatalError = "fatal-error"
    case badPointer = "bad-pointer"
    case abort
    case `nil`
    case range
    case overflow
    case stack

    /// Ends the process by a crash.
    func crash() -> Never {
        switch self {
        case .fatalError: Self.stopForGood()
        case .badPointer: Self.write(to: 0x10)
        case .abort: Foundation.abort()
        case .nil: Self.unwrap(Self.nothing())
        case .range: Self.read(at: 7, of: [1, 2, 3])
        case .overflow: Self.add(.max)
        case .stack: Self.dig(1)
        }
    }

    // Each in a function of its own, which the report has to name.

    @inline(never)
    private static func stopForGood() -> Never {
        Swift.fatalError("This crash was asked for, to see what is left of it")
    }

    @inline(never)
    private static func write(to address: UInt) -> Never {
        UnsafeMutablePointer<Int>(bitPattern: address)?.pointee = 1
        return notReached()
    }

    @inline(never)
    private static func unwrap(_ number: Int?) -> Never {
        // The crash is what this is for.
        // swift-format-ignore: NeverForceUnwrap
        use(number!)
        return notReached()
    }

    @inline(never)
    private static func nothing() -> Int? {
        CommandLine.arguments.isEmpty ? 1 : Optional<Int>.none
    }

    @inline(never)
    private static func read(at index: Int, of numbers: [Int]) -> Never {
        use(numbers[index])
        return notReached()
    }

    @inline(never)
    private static func add(_ number: Int) -> Never {
        use(number + CommandLine.arguments.count)
        return notReached()
    }

    @inline(never)
    private static func dig(_ depth: Int) -> Never {
        use(deeper(depth))
        return notReached()
    }

    @inline(never)
    private static func deeper(_ depth: Int) -> Int {
        // What is added afterwards keeps this from becoming a loop.
        depth < 0 ? 0 : deeper(depth &+ 1) &+ CommandLine.arguments.count
    }

    @inline(never)
    private static func use(_ number: Int) {
        if number == .min { Terminal.note("") }
    }

    private static func notReached() -> Never {
        Swift.fatalError("The crash that was asked for did not come")
    }
}
