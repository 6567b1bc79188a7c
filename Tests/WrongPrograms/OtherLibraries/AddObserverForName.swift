// SPDX-License-Identifier: Apache-2.0
// expect: write 'observe(_:)' or 'observe(named:owner:)'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let token = center.addObserver(forName: "LoggedIn", object: nil, queue: nil) { _ in
        print("hello")
    }
    print(token)
}
