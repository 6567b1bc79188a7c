// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Further ways in which a program can crash, for the table of crashes.
enum OtherCrash: String, CaseIterable, Sendable {
    case stackOverflow, failedCast, overlappingAccess, division, conversion, emptyCollection
    case unownedObject, duplicateKeys, invalidRange, invalidFree, readOnlyMemory, nullFunction
    case inlined, systemCall

    /// The signal that ends the process.
    var signal: Int32 {
        switch self {
        case .stackOverflow, .readOnlyMemory, .nullFunction: SIGSEGV
        case .failedCast, .overlappingAccess, .unownedObject, .invalidFree: SIGABRT
        case .systemCall: SIGSYS
        default: CrashWay.fatalError.signal
        }
    }

    /// Whether the runtime or the C library gives a reason.
    var hasReason: Bool {
        switch self {
        case .stackOverflow, .readOnlyMemory, .nullFunction, .systemCall: false
        default: true
        }
    }

    /// The range of lines in which the crash happens.
    static var lines: Range<Int> { firstLine..<lastLine }
}

private final class Owned {
    var number = 1
}

private struct Counter {
    var number = 1

    mutating func add(_ change: () -> Void) {
        number += 1
        change()
    }
}

nonisolated(unsafe) private var counter = Counter()
private let firstLine = #line

/// Recurses and uses the frame after the call, so that the compiler keeps the recursion.
@inline(never)
@_optimize(none)
private func crashByRecursion(_ depth: Int) -> Int {
    if depth == 0 { return 0 }
    let rest = crashByRecursion(depth &+ 1)
    return rest &+ depth
}

@inline(__always)
private func inlinedElement(_ numbers: [Int], _ index: Int) -> Int { numbers[index] }

/// Crashes in a function that is optimized, unlike the remaining functions.
@inline(never)
private func crashInInlinedCode(_ one: Int) -> Int {
    inlinedElement(Array(repeating: one, count: one), one &+ 7) &+ 1
}

@inline(never)
@_optimize(none)
func callCrash(_ kind: OtherCrash) -> Int {
    let result = crashOtherwise(kind, 1)
    return result &+ 1
}

/// Crashes in a function that is never inlined, because a report must contain the name.
@inline(never)
@_optimize(none)
private func crashOtherwise(_ kind: OtherCrash, _ one: Int) -> Int {
    switch kind {
    case .stackOverflow: return crashByRecursion(one)
    case .failedCast:
        let value: Any = one
        // swift-format-ignore: NeverForceUnwrap
        return (value as! String).count
    case .overlappingAccess:
        counter.add { counter.number += one }
        return counter.number
    case .division: return one / (one - 1)
    case .conversion: return Int(Int8(one * 300))
    case .emptyCollection:
        var numbers: [Int] = []
        return numbers.removeLast()
    case .unownedObject:
        var owned: Owned? = Owned()
        unowned let object = owned ?? Owned()
        owned = nil
        return object.number
    case .duplicateKeys: return [one: 1, 1: 2].count
    case .invalidRange: return (one...(one - 2)).count
    case .invalidFree:
        let memory = malloc(64)
        free(memory.map { $0 + 16 })
        return one
    case .readOnlyMemory:
        let page = mmap(nil, 4_096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        page?.storeBytes(of: one, as: Int.self)
        return one
    case .nullFunction:
        typealias Function = @convention(c) (Int) -> Int
        let address = UnsafeRawPointer(bitPattern: one * 16)
        return unsafeBitCast(address, to: Function.self)(one)
    case .inlined: return crashInInlinedCode(one)
    case .systemCall: return Int(raise(SIGSYS))
    }
}
private let lastLine = #line
