// SPDX-License-Identifier: Apache-2.0
import TidingsFiles

#if os(Linux)
import Foundation

/// The signal stack of a thread, on which handlers run even after a stack overflow.
///
/// The stack is released when the thread ends. A guard page precedes the stack, and the page behind
/// the stack stores the thread's previous signal stack.
enum SignalStack {
    static let size = 64 << 10
    /// Twice the space that the handler needs, including the register state of a large processor.
    static let sufficientSize = 32 << 10
    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Holds the memory of each thread's signal stack.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key) { SignalStack.release($0) } == 0 ? key : nil
    }()

    /// Installs a signal stack on the calling thread, unless an earlier stack is large enough.
    static func install() throws(SystemError) {
        var earlier = stack_t()
        guard sigaltstack(nil, &earlier) == 0 else { throw SystemError("sigaltstack") }
        let isInUse = earlier.ss_flags & Int32(SS_DISABLE) == 0
        guard !isInUse || earlier.ss_size < sufficientSize else { return }
        guard let key else { throw SystemError("pthread_key_create") }
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let whole = size + 2 * page
        guard let memory = mmap(nil, whole, PROT_READ | PROT_WRITE, flags, -1, 0),
            memory != MAP_FAILED
        else { throw SystemError("mmap") }
        mprotect(memory, page, PROT_NONE)
        (memory + page + size).storeBytes(of: earlier, as: stack_t.self)
        var stack = stack_t(ss_sp: memory + page, ss_flags: 0, ss_size: size)
        guard sigaltstack(&stack, nil) == 0 else {
            let failure = SystemError("sigaltstack")
            munmap(memory, whole)
            throw failure
        }
        guard pthread_setspecific(key, memory) == 0 else {
            release(memory)
            throw SystemError("pthread_setspecific")
        }
    }

    /// Restores the previous signal stack of the calling thread.
    static func uninstall() {
        guard let key, let memory = pthread_getspecific(key) else { return }
        pthread_setspecific(key, nil)
        release(memory)
    }

    private static func release(_ memory: UnsafeMutableRawPointer?) {
        guard let memory else { return }
        var current = stack_t()
        if sigaltstack(nil, &current) == 0, current.ss_sp == memory + page {
            var earlier = (memory + page + size).load(as: stack_t.self)
            // A stack that is in use cannot be replaced.
            guard sigaltstack(&earlier, nil) == 0 else { return }
        }
        munmap(memory, size + 2 * page)
    }
}
#endif
