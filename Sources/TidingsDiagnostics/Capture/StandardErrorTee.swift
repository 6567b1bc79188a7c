// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CTidingsCrash
import Foundation
import TidingsFiles

/// A pipe that replaces the standard error, and a thread that forwards the pipe's contents.
///
/// The thread runs until the pipe has no writer left, even after the standard error is restored,
/// because child processes may have inherited the pipe.
struct StandardErrorTee {
    /// The read end of the pipe and the original standard error.
    let pipe: Int32
    let output: Int32

    /// Replaces the standard error by the pipe.
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

    /// Starts the forwarding thread.
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
