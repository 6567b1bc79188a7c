// SPDX-License-Identifier: Apache-2.0
// expect: not marked with 'await'
import Tidings

struct LoggedIn: Message { let name: String }

func greet(_ center: MessageCenter) async {
    let report = center.postAndWait(LoggedIn(name: "Ada"))
    print(report.recipients)
}
