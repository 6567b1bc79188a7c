// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CTidingsCrash
import Foundation

/// A pipe in the place of the standard error, and a thread that passes on what comes.
///
/// The thread goes on until nobody can write to the pipe any more, also when the standard error
/// has been given back: processes that were started meanwhile have the pipe as theirs.
struct StandardErrorTee {
    /// Where it is read, and where the standard error led.
    let pipe: Int32
    let output: Int32

    /// Puts the pipe in place.
    init() throws(SystemError) {
        let ends = try SystemPipe()
        pipe = ends.output
        output = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0, fcntl(pipe, F_SETFL, O_NONBLOCK) == 0,
            dup2(ends.input, STDERR_FILENO) >= 0
        else {
            let failure = SystemError("dup2")
            ends.close()
            if output >= 0 { close(output) }
            throw failure
        }
        close(ends.input)
    }

    /// Begins to pass on.
    func start() {
        let (pipe, output) = (pipe, output)
        let thread = Thread {
            var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            while poll(&wanted, 1, -1) > 0 || errno == EINTR,
                tidings_crash_forward(pipe, output) == 0
            {}
            close(pipe)
            close(output)
        }
        thread.name = "standard-error"
        thread.stackSize = 128 << 10
        thread.start()
    }
}
#endif
