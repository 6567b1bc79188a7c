// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation

/// The stack of a thread on which signal handlers run, so that they also run when its own is full.
///
/// It goes with its thread. Before it lies a page that nobody may touch, and behind it a page that
/// holds what the thread had before.
enum SignalStack {
    static let size = 64 << 10
    /// What the handler needs, with what the system stores of a large processor, and as much again.
    static let enough = 32 << 10
    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Holds the stack of each thread that has one of these.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key) { SignalStack.release($0) } == 0 ? key : nil
    }()

    /// Gives the calling thread a stack for signals, unless it has one that is large enough.
    static func giveToThread() throws(SystemError) {
        var earlier = stack_t()
        guard sigaltstack(nil, &earlier) == 0 else { throw SystemError("sigaltstack") }
        let isInUse = earlier.ss_flags & Int32(SS_DISABLE) == 0
        guard !isInUse || earlier.ss_size < enough else { return }
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

    /// Gives the calling thread back what it had before.
    static func takeFromThread() {
        guard let key, let memory = pthread_getspecific(key) else { return }
        pthread_setspecific(key, nil)
        release(memory)
    }

    private static func release(_ memory: UnsafeMutableRawPointer?) {
        guard let memory else { return }
        var current = stack_t()
        if sigaltstack(nil, &current) == 0, current.ss_sp == memory + page {
            var earlier = (memory + page + size).load(as: stack_t.self)
            // On it at this moment: it cannot be taken away.
            guard sigaltstack(&earlier, nil) == 0 else { return }
        }
        munmap(memory, size + 2 * page)
    }
}
#endif
