// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Functions of the C library that are not available in Swift.
enum RawCalls {
    typealias Number = @convention(c) () -> Int32
    typealias OfNumber = @convention(c) (Int32) -> Int32
    typealias OfThree = @convention(c) (Int32, Int32, Int32) -> Int32
    typealias Context = UnsafeMutableRawPointer
    typealias Function = @convention(c) () -> Void

    static let fork = symbol("fork", as: Number.self)
    static let thread = symbol("gettid", as: Number.self)
    static let unshare = symbol("unshare", as: OfNumber.self)
    static let sendToThread = symbol("tgkill", as: OfThree.self)
    private static let getContext = symbol(
        "getcontext",
        as: (@convention(c) (Context) -> Int32).self
    )
    private static let setContext = symbol(
        "setcontext",
        as: (@convention(c) (Context) -> Int32).self
    )
    private static let makeContext = symbol(
        "makecontext",
        as: (@convention(c) (Context, Function, Int32) -> Void).self
    )

    private static func symbol<Call>(_ name: String, as type: Call.Type) -> Call {
        guard let address = dlsym(nil, name) else { fatalError("\(name) is not there") }
        return unsafeBitCast(address, to: type)
    }

    /// Leaves the current context, such as a signal handler, for a function on a new stack.
    static func jump(to function: Function) -> Never {
        let size = 256 << 10
        // A ucontext_t starts with flags, a link, and the stack: address, flags and size.
        let context = Context.allocate(byteCount: 8 << 10, alignment: 64)
        context.initializeMemory(as: UInt8.self, repeating: 0, count: 8 << 10)
        _ = getContext(context)
        let stack = Context.allocate(byteCount: size, alignment: 16)
        context.storeBytes(of: nil, toByteOffset: 8, as: Context?.self)
        context.storeBytes(of: stack, toByteOffset: 16, as: Context.self)
        context.storeBytes(of: size, toByteOffset: 32, as: Int.self)
        makeContext(context, function, 0)
        _ = setContext(context)
        fatalError("The jump has failed.")
    }

    /// Continues with the given registers, usually in order to crash.
    static func enter(counter: UInt, stack: UInt, frame: UInt) -> Never {
        let context = Context.allocate(byteCount: 8 << 10, alignment: 64)
        context.initializeMemory(as: UInt8.self, repeating: 0, count: 8 << 10)
        _ = getContext(context)
        #if arch(x86_64)
        let (frameAt, stackAt, counterAt) = (40 + 10 * 8, 40 + 15 * 8, 40 + 16 * 8)
        #else
        let (frameAt, stackAt, counterAt) = (184 + 29 * 8, 184 + 31 * 8, 184 + 32 * 8)
        #endif
        context.storeBytes(of: frame, toByteOffset: frameAt, as: UInt.self)
        context.storeBytes(of: stack, toByteOffset: stackAt, as: UInt.self)
        context.storeBytes(of: counter, toByteOffset: counterAt, as: UInt.self)
        _ = setContext(context)
        fatalError("There is no such place.")
    }
}
